from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "games.review"

    def ready(self) -> None:
        from games.bots.worker import register_spare_work  # noqa: PLC0415  # models are loaded by now, not before
        from games.history import endings  # noqa: PLC0415  # as above
        from games.play.signals import match_over  # noqa: PLC0415  # as above
        from games.review import services  # noqa: PLC0415  # as above
        from games.review.found import judgement_of  # noqa: PLC0415  # as above
        from games.review.jobs import Reviews  # noqa: PLC0415  # as above

        reviews = Reviews()
        register_spare_work(lambda mind: reviews.go_on(mind.do))
        match_over.connect(services.begin, dispatch_uid="review")
        endings.register_judging(judgement_of)
