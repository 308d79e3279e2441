//! The 28 summer sports and the words that belong to each.

use super::Class;

/// A sport and its own slots: athlete, athletes, venue, event, feat, jargon, gear.
#[derive(Debug)]
pub(crate) struct Sport {
    /// Its name, in lower case.
    pub(crate) name: &'static str,
    /// What only this sport says.
    pub(crate) classes: &'static [Class],
}

/// All of them, in alphabetical order.
pub(crate) static SPORTS: [Sport; 28] = [
    Sport {
        name: "aquatics",
        classes: &[
            ("athlete", &["swimmer"]),
            ("athletes", &["swimmers"]),
            ("venue", &["aquatics centre"]),
            (
                "event",
                &["200m butterfly", "400m medley", "100m backstroke", "10m platform dive", "1500m freestyle"],
            ),
            (
                "feat",
                &[
                    "touched first by a fingertip",
                    "swam away from the field",
                    "turned first at every wall",
                    "dived without a flaw",
                ],
            ),
            ("jargon", &["underwater kick", "tumble turn", "pool temperature", "breathing rhythm"]),
            ("gear", &["starting block", "goggles"]),
        ],
    },
    Sport {
        name: "archery",
        classes: &[
            ("athlete", &["archer"]),
            ("athletes", &["archers"]),
            ("venue", &["archery range"]),
            ("event", &["recurve final", "team archery round", "compound event", "mixed archery match"]),
            (
                "feat",
                &[
                    "hit ten after ten",
                    "found gold with the last arrow",
                    "shot through the wind",
                    "held the bow steady in the shoot-off",
                ],
            ),
            ("jargon", &["arrow grouping", "release", "draw weight", "wind reading"]),
            ("gear", &["bowstring", "quiver"]),
        ],
    },
    Sport {
        name: "athletics",
        classes: &[
            ("athlete", &["sprinter"]),
            ("athletes", &["sprinters"]),
            ("venue", &["athletics stadium"]),
            (
                "event",
                &["100m", "800m", "marathon", "pole vault", "long jump", "4x400m relay", "steeplechase"],
            ),
            (
                "feat",
                &[
                    "kicked clear in the home straight",
                    "ran a personal best",
                    "cleared the bar at the last attempt",
                    "broke the tape by a stride",
                ],
            ),
            ("jargon", &["pacemaking", "baton exchange", "false start", "run-up"]),
            ("gear", &["spikes", "javelin"]),
        ],
    },
    Sport {
        name: "badminton",
        classes: &[
            ("athlete", &["shuttler"]),
            ("athletes", &["shuttlers"]),
            ("venue", &["badminton hall"]),
            (
                "event",
                &["badminton singles", "badminton doubles", "mixed doubles badminton", "shuttlecock classic"],
            ),
            (
                "feat",
                &[
                    "smashed down the line",
                    "saved four game points at the net",
                    "won the longest rally of the day",
                    "ruled the court with drop shots",
                ],
            ),
            ("jargon", &["backhand smash", "net play", "service height", "footwork"]),
            ("gear", &["shuttlecock", "racket string"]),
        ],
    },
    Sport {
        name: "basketball",
        classes: &[
            ("athlete", &["point guard"]),
            ("athletes", &["basketballers"]),
            ("venue", &["basketball arena"]),
            (
                "event",
                &["basketball play-off", "overtime decider", "three-point contest", "basketball semi-final"],
            ),
            (
                "feat",
                &[
                    "sank the buzzer-beater",
                    "dominated under the basket",
                    "scored thirty from the floor",
                    "blocked the final shot",
                ],
            ),
            ("jargon", &["zone defence", "free throws", "shot clock", "rebounding"]),
            ("gear", &["backboard", "hoop"]),
        ],
    },
    Sport {
        name: "boxing",
        classes: &[
            ("athlete", &["boxer"]),
            ("athletes", &["boxers"]),
            ("venue", &["boxing hall"]),
            ("event", &["flyweight bout", "heavyweight bout", "welterweight final", "lightweight bout"]),
            (
                "feat",
                &[
                    "won on points in the ring",
                    "landed the cleaner punches",
                    "floored the favourite in round two",
                    "survived a standing count",
                ],
            ),
            ("jargon", &["left jab", "footwork", "weight cut", "corner advice"]),
            ("gear", &["gloves", "headguard"]),
        ],
    },
    Sport {
        name: "canoeing",
        classes: &[
            ("athlete", &["paddler"]),
            ("athletes", &["paddlers"]),
            ("venue", &["white-water canal"]),
            ("event", &["canoe slalom", "kayak sprint", "K4 500m", "canoe 1000m"]),
            (
                "feat",
                &[
                    "paddled through every gate",
                    "surged on the last buoy",
                    "survived the upstream gates",
                    "edged the kayak ahead on the line",
                ],
            ),
            ("jargon", &["paddle stroke", "gate penalty", "white-water line", "start gun"]),
            ("gear", &["kayak", "paddle"]),
        ],
    },
    Sport {
        name: "cycling",
        classes: &[
            ("athlete", &["cyclist"]),
            ("athletes", &["cyclists"]),
            ("venue", &["velodrome"]),
            ("event", &["road race", "team pursuit", "keirin", "time trial", "BMX final"]),
            (
                "feat",
                &[
                    "attacked on the final climb",
                    "outsprinted the peloton",
                    "led the breakaway for hours",
                    "rode the fastest lap of the velodrome",
                ],
            ),
            ("jargon", &["slipstreaming", "gear ratio", "cadence", "sprint train"]),
            ("gear", &["bicycle", "rear wheel"]),
        ],
    },
    Sport {
        name: "equestrian",
        classes: &[
            ("athlete", &["rider"]),
            ("athletes", &["riders"]),
            ("venue", &["equestrian park"]),
            ("event", &["dressage test", "show jumping", "three-day event", "horse trials"]),
            (
                "feat",
                &[
                    "jumped clear on a borrowed horse",
                    "rode a faultless dressage test",
                    "guided the mare over the last fence",
                    "took the saddle honours",
                ],
            ),
            ("jargon", &["horse welfare", "stride pattern", "fence height", "dressage scoring"]),
            ("gear", &["saddle", "stirrup"]),
        ],
    },
    Sport {
        name: "fencing",
        classes: &[
            ("athlete", &["fencer"]),
            ("athletes", &["fencers"]),
            ("venue", &["fencing piste"]),
            ("event", &["foil final", "épée team event", "sabre final", "women’s épée"]),
            (
                "feat",
                &[
                    "won the last touch",
                    "parried and struck in one move",
                    "turned a five-touch deficit around",
                    "lunged to victory on the piste",
                ],
            ),
            ("jargon", &["parry", "right of way", "lunge", "blade contact"]),
            ("gear", &["foil", "mask"]),
        ],
    },
    Sport {
        name: "football",
        classes: &[
            ("athlete", &["striker"]),
            ("athletes", &["footballers"]),
            ("venue", &["football ground"]),
            ("event", &["football derby", "penalty shoot-out", "football quarter-final", "cup replay"]),
            (
                "feat",
                &[
                    "scored twice after the break",
                    "headed home in stoppage time",
                    "kept a clean sheet",
                    "missed a penalty but won",
                ],
            ),
            ("jargon", &["offside trap", "pressing", "set pieces", "goal-line technology"]),
            ("gear", &["goalpost", "match ball"]),
        ],
    },
    Sport {
        name: "golf",
        classes: &[
            ("athlete", &["golfer"]),
            ("athletes", &["golfers"]),
            ("venue", &["golf links"]),
            ("event", &["golf open", "final round", "golf foursomes", "links championship"]),
            (
                "feat",
                &[
                    "birdied the last three holes",
                    "held on in the wind",
                    "chipped in from a bunker",
                    "shot a course record of 63",
                ],
            ),
            ("jargon", &["putting", "slow play", "handicap", "bunker play"]),
            ("gear", &["putter", "driver"]),
        ],
    },
    Sport {
        name: "gymnastics",
        classes: &[
            ("athlete", &["gymnast"]),
            ("athletes", &["gymnasts"]),
            ("venue", &["gymnastics hall"]),
            ("event", &["parallel bars", "floor exercise", "beam final", "vault final", "rings final"]),
            (
                "feat",
                &[
                    "stuck the landing",
                    "nailed a triple twist on the floor",
                    "fell from the beam but recovered",
                    "scored the highest mark on bars",
                ],
            ),
            ("jargon", &["difficulty score", "dismount", "vault run-up", "beam routine"]),
            ("gear", &["pommel horse", "chalk"]),
        ],
    },
    Sport {
        name: "handball",
        classes: &[
            ("athlete", &["goalkeeper"]),
            ("athletes", &["handballers"]),
            ("venue", &["handball arena"]),
            (
                "event",
                &["handball final", "handball group match", "seven-metre shoot-out", "handball play-off"],
            ),
            (
                "feat",
                &[
                    "scored from nine metres",
                    "saved three seven-metre throws",
                    "won on a last-second counter",
                    "pulled away after the time-out",
                ],
            ),
            ("jargon", &["fast break", "line play", "passive play", "goalkeeping"]),
            ("gear", &["resin", "court line"]),
        ],
    },
    Sport {
        name: "hockey",
        classes: &[
            ("athlete", &["drag-flicker"]),
            ("athletes", &["hockey players"]),
            ("venue", &["hockey pitch"]),
            ("event", &["hockey final", "hockey shoot-out", "hockey group match", "penalty corner decider"]),
            (
                "feat",
                &[
                    "converted the penalty corner",
                    "struck from the top of the circle",
                    "defended a one-goal lead on the turf",
                    "won the hockey shoot-out",
                ],
            ),
            ("jargon", &["penalty corner", "stick work", "drag flick", "turf watering"]),
            ("gear", &["hockey stick", "shin guard"]),
        ],
    },
    Sport {
        name: "judo",
        classes: &[
            ("athlete", &["judoka"]),
            ("athletes", &["judoka"]),
            ("venue", &["judo hall"]),
            ("event", &["under 66kg judo", "judo team event", "heavyweight judo", "under 57kg judo"]),
            (
                "feat",
                &[
                    "won by ippon",
                    "threw the champion in golden score",
                    "held on for waza-ari on the tatami",
                    "escaped an armlock",
                ],
            ),
            ("jargon", &["grip fighting", "ippon throw", "ground work", "passivity penalty"]),
            ("gear", &["tatami", "belt"]),
        ],
    },
    Sport {
        name: "modern pentathlon",
        classes: &[
            ("athlete", &["pentathlete"]),
            ("athletes", &["pentathletes"]),
            ("venue", &["pentathlon stadium"]),
            (
                "event",
                &["laser run", "modern pentathlon final", "pentathlon relay", "pentathlon bonus round"],
            ),
            (
                "feat",
                &[
                    "overtook five rivals in the laser run",
                    "led the pentathlon from the fencing",
                    "swam into medal reach",
                    "finished strongest of the pentathletes",
                ],
            ),
            ("jargon", &["laser pistol", "five-discipline format", "obstacle course", "handicap start"]),
            ("gear", &["laser pistol", "obstacle wall"]),
        ],
    },
    Sport {
        name: "rowing",
        classes: &[
            ("athlete", &["rower"]),
            ("athletes", &["rowers"]),
            ("venue", &["regatta course"]),
            (
                "event",
                &["double sculls", "coxless four", "rowing eights", "single sculls", "lightweight sculls"],
            ),
            (
                "feat",
                &[
                    "rowed through the field",
                    "pulled clear over the last 500 metres",
                    "held off the late charge of the eight",
                    "led the regatta from the first stroke",
                ],
            ),
            ("jargon", &["stroke rate", "blade work", "crosswind lane", "boat balance"]),
            ("gear", &["oar", "scull"]),
        ],
    },
    Sport {
        name: "rugby sevens",
        classes: &[
            ("athlete", &["fly-half"]),
            ("athletes", &["sevens players"]),
            ("venue", &["rugby ground"]),
            (
                "event",
                &["rugby sevens final", "sevens plate", "rugby sevens quarter-final", "sevens pool match"],
            ),
            (
                "feat",
                &[
                    "ran in three tries",
                    "scored under the posts at the whistle",
                    "won the breakdown again and again",
                    "tackled everything in sevens style",
                ],
            ),
            ("jargon", &["scrum", "offload", "breakdown", "restart"]),
            ("gear", &["rugby ball", "gumshield"]),
        ],
    },
    Sport {
        name: "sailing",
        classes: &[
            ("athlete", &["sailor"]),
            ("athletes", &["sailors"]),
            ("venue", &["sailing marina"]),
            ("event", &["dinghy regatta", "49er skiff", "windsurfing race", "Finn class medal race"]),
            (
                "feat",
                &[
                    "sailed into a private breeze",
                    "led round every mark",
                    "survived a capsize to win",
                    "tacked past the fleet",
                ],
            ),
            ("jargon", &["wind shift", "tacking", "spinnaker set", "start line"]),
            ("gear", &["mainsail", "rudder"]),
        ],
    },
    Sport {
        name: "shooting",
        classes: &[
            ("athlete", &["marksman"]),
            ("athletes", &["marksmen"]),
            ("venue", &["shooting range"]),
            ("event", &["air rifle", "skeet final", "trap shooting", "rapid-fire pistol"]),
            (
                "feat",
                &[
                    "hit 124 of 125 targets",
                    "shot a perfect series",
                    "won the skeet shoot-off",
                    "kept the rifle calm to the last shot",
                ],
            ),
            ("jargon", &["trigger control", "clay speed", "breathing", "sight setting"]),
            ("gear", &["air rifle", "clay target"]),
        ],
    },
    Sport {
        name: "table tennis",
        classes: &[
            ("athlete", &["paddler"]),
            ("athletes", &["table tennis players"]),
            ("venue", &["table tennis hall"]),
            (
                "event",
                &[
                    "table tennis singles",
                    "table tennis doubles",
                    "table tennis team match",
                    "ping-pong final",
                ],
            ),
            (
                "feat",
                &[
                    "won eleven-nine in the decider",
                    "looped past the defence",
                    "served four aces in a row at the table",
                    "blocked everything at the table",
                ],
            ),
            ("jargon", &["backhand loop", "serve spin", "rubber choice", "footwork"]),
            ("gear", &["bat", "table tennis ball"]),
        ],
    },
    Sport {
        name: "taekwondo",
        classes: &[
            ("athlete", &["fighter"]),
            ("athletes", &["taekwondo fighters"]),
            ("venue", &["taekwondo arena"]),
            (
                "event",
                &[
                    "under 58kg taekwondo",
                    "taekwondo heavyweight",
                    "taekwondo golden point",
                    "under 49kg taekwondo",
                ],
            ),
            (
                "feat",
                &[
                    "landed a spinning head kick",
                    "won on golden point",
                    "kicked ahead in round three",
                    "turned the bout with two kicks",
                ],
            ),
            ("jargon", &["head kick", "electronic scoring", "turning kick", "clinch"]),
            ("gear", &["body protector", "headgear"]),
        ],
    },
    Sport {
        name: "tennis",
        classes: &[
            ("athlete", &["tennis player"]),
            ("athletes", &["tennis players"]),
            ("venue", &["tennis club"]),
            ("event", &["singles final", "tennis doubles", "clay-court open", "tennis semi-final"]),
            (
                "feat",
                &[
                    "won in straight sets",
                    "saved two match points on serve",
                    "broke serve in the last game",
                    "returned everything from the baseline",
                ],
            ),
            ("jargon", &["second serve", "backhand", "tie-break", "baseline play"]),
            ("gear", &["racket", "net cord"]),
        ],
    },
    Sport {
        name: "triathlon",
        classes: &[
            ("athlete", &["triathlete"]),
            ("athletes", &["triathletes"]),
            ("venue", &["triathlon course"]),
            (
                "event",
                &["triathlon sprint", "mixed triathlon relay", "long-distance triathlon", "triathlon final"],
            ),
            (
                "feat",
                &[
                    "ran away from the triathlon field",
                    "came first out of the water",
                    "lost time in transition but won",
                    "broke clear on the bike leg",
                ],
            ),
            ("jargon", &["transition", "wetsuit rule", "bike leg", "open-water swim"]),
            ("gear", &["wetsuit", "running shoes"]),
        ],
    },
    Sport {
        name: "volleyball",
        classes: &[
            ("athlete", &["setter"]),
            ("athletes", &["volleyball players"]),
            ("venue", &["volleyball arena"]),
            (
                "event",
                &[
                    "beach volleyball final",
                    "volleyball play-off",
                    "five-set volleyball final",
                    "volleyball pool match",
                ],
            ),
            (
                "feat",
                &[
                    "spiked past the block",
                    "won the fifth set",
                    "served three aces across the net",
                    "dug out of every corner",
                ],
            ),
            ("jargon", &["block", "jump serve", "rotation", "libero play"]),
            ("gear", &["net antenna", "volleyball"]),
        ],
    },
    Sport {
        name: "weightlifting",
        classes: &[
            ("athlete", &["lifter"]),
            ("athletes", &["lifters"]),
            ("venue", &["weightlifting hall"]),
            ("event", &["clean and jerk", "snatch", "under 81kg weightlifting", "superheavyweight lifting"]),
            (
                "feat",
                &[
                    "lifted 210 kilos overhead",
                    "held the barbell for white lights",
                    "failed twice, then lifted gold",
                    "added five kilos to the snatch record",
                ],
            ),
            ("jargon", &["grip width", "white lights", "snatch technique", "bodyweight category"]),
            ("gear", &["barbell", "lifting belt"]),
        ],
    },
    Sport {
        name: "wrestling",
        classes: &[
            ("athlete", &["wrestler"]),
            ("athletes", &["wrestlers"]),
            ("venue", &["wrestling mat"]),
            (
                "event",
                &["freestyle wrestling", "Greco-Roman bout", "under 74kg wrestling", "wrestling repechage"],
            ),
            (
                "feat",
                &[
                    "pinned the champion on the mat",
                    "won by fall in the first period",
                    "turned the bout with a late takedown",
                    "escaped the mat with a one-point lead",
                ],
            ),
            ("jargon", &["takedown", "par terre position", "grip", "weight class"]),
            ("gear", &["wrestling mat", "singlet"]),
        ],
    },
];
