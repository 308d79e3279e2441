//! What any article may say, whatever its topic.

use super::Class;

/// Sentences that fit every topic.
pub(crate) static SENTENCES: &[&str] = &[
    "“{~remark},” said {expert}, who has followed such matters for {~few} years.",
    "In {town}, people {~reacted} when the news arrived on {weekday}.",
    "A spokesperson declined to comment beyond {a:~statement} of {~few} lines.",
    "“{~remark},” {surname} said.",
    "Reporters in {capital} were told that more details would follow {~soon}.",
    "The last time anything comparable happened in {country} was {~few} years ago.",
    "{expert} called the timing {~odd} but not unexpected.",
    "Several people across {region} said they had learned of it from the radio.",
    "The matter has been {~discussed} in {capital} for {~few} months.",
    "A second announcement is expected {~soon}, according to people familiar with the plans.",
    "Asked about the criticism, {surname} {~answered}.",
    "{rival} {~disagreed}, saying that the figures told only half of the story.",
    "Residents of {town2} {~reacted} and asked what it would mean for them.",
    "None of those involved wished to say how much the effort had cost.",
    "In a letter seen by this newsroom, {rival} {~disagreed} in unusually clear words.",
    "What comes next depends largely on decisions that will be taken {~soon}.",
];

/// How articles end.
pub(crate) static CLOSERS: &[&str] = &[
    "{surname} is expected to speak again {~soon}.",
    "Further details will be published as they become known.",
    "For the people of {town}, the wait goes on.",
    "“{~remark},” {rivalname} said, and left it there.",
    "The next date in the calendar is {weekday2}, when both sides meet again in {capital}.",
    "Whether that is enough will be seen {~soon}.",
];

/// Slots open to every topic.
pub(crate) static CLASSES: &[Class] = &[
    (
        "remark",
        &[
            "We knew this day would come",
            "Nobody should be surprised",
            "It is a beginning, not an end",
            "I would have liked to hear this earlier",
            "The numbers speak for themselves",
            "There is work to do and we will do it",
            "You cannot plan for everything",
            "That is the question everybody is asking",
            "It was the right call at the right time",
            "We are taking this one step at a time",
            "It could have gone the other way",
            "I have never seen anything like it",
            "We owe people here a straight answer",
            "This is bigger than any one of us",
        ],
    ),
    (
        "reacted",
        &[
            "shrugged",
            "gathered in the main square",
            "were divided",
            "took it calmly",
            "wanted to know more",
            "spoke of little else",
            "were openly pleased",
            "remained sceptical",
        ],
    ),
    ("statement", &["statement", "written note", "short answer", "prepared text", "notice on its site"]),
    (
        "soon",
        &[
            "before the end of the week",
            "in the coming days",
            "early next month",
            "after the weekend",
            "within a fortnight",
            "later this season",
            "as soon as the paperwork is done",
        ],
    ),
    ("odd", &["curious", "awkward", "remarkable", "unfortunate", "bold", "surprising"]),
    ("discussed", &["discussed", "debated", "whispered about", "on the agenda", "a subject of dispute"]),
    (
        "answered",
        &[
            "smiled and said nothing",
            "pointed to earlier remarks",
            "promised a full account",
            "spoke of a misunderstanding",
            "said the door remained open",
            "asked for patience",
        ],
    ),
    (
        "disagreed",
        &[
            "disagreed",
            "took the opposite view",
            "objected",
            "urged caution",
            "was not convinced",
            "saw it differently",
        ],
    ),
    ("few", &["two", "three", "four", "five", "six", "seven", "eight", "nine"]),
    ("weekday2", &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]),
];
