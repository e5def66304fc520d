"""`{% thumbnail_sprites %}`: once in each page with thumbnails, before the first of them."""

from __future__ import annotations

from django import template

from games.play.boards.pictures import sprites

register = template.Library()
register.simple_tag(sprites, name="thumbnail_sprites")
