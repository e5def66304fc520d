"""The words of which the names of guests are made, short enough for a name. They are the same in every language."""

# fmt: off
ADJECTIVES = (
    "Amber", "Bold", "Brave", "Brisk", "Calm", "Clever", "Coral", "Cosy", "Daring", "Eager", "Fair", "Fleet",
    "Gentle", "Glad", "Golden", "Grand", "Happy", "Hazel", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Lunar",
    "Mellow", "Merry", "Misty", "Noble", "Olive", "Patient", "Pearl", "Polite", "Proud", "Quick", "Quiet",
    "Rapid", "Royal", "Ruby", "Sandy", "Silver", "Sly", "Snowy", "Solar", "Spry", "Steady", "Sunny", "Swift",
    "Tidy", "Velvet", "Warm", "Wise", "Witty",
)

ANIMALS = (
    "Badger", "Beaver", "Bison", "Crane", "Dolphin", "Donkey", "Eagle", "Egret", "Falcon", "Ferret", "Finch",
    "Fox", "Gecko", "Goose", "Hare", "Hawk", "Heron", "Ibex", "Ibis", "Jackdaw", "Koala", "Lark", "Lemur",
    "Lynx", "Magpie", "Marten", "Mole", "Moose", "Newt", "Ocelot", "Otter", "Owl", "Panda", "Pelican",
    "Penguin", "Puffin", "Quail", "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Stork", "Swan",
    "Tapir", "Toad", "Trout", "Turtle", "Vole", "Walrus", "Weasel", "Wombat", "Wren", "Yak", "Zebra",
)
# fmt: on
