namespace Postrider.InteropTests.Attacks;

/// <summary>Attempts to hear or say what a user may not: who makes it, with which frames, and a text that must reach nobody.</summary>
internal static class PermissionAttacks
{
    /// <summary>The attempts by name. In frames <c>|</c> stands for the end of a line.</summary>
    public static IReadOnlyDictionary<string, (string User, string Frames)> All { get; } = Build().ToDictionary(static row => row.Name, static row => (row.User, row.Frames), StringComparer.Ordinal);

    private static IEnumerable<(string Name, string User, string Frames)> Build() =>
    [
        // Publishing past deny and allow.
        ("publish: denied", "att", Pub("pub.secret")),
        ("publish: denied by a pattern", "att", Pub("pub.deep.a.b")),
        ("publish: denied in the middle", "att", Pub("pub.a.hidden")),
        ("publish: not allowed", "att", Pub("sub.ok")),
        ("publish: allowed prefix without its token", "att", Pub("pub")),
        ("publish: allowed prefix as part of a token", "att", Pub("public.x")),
        ("publish: other case", "att", Pub("PUB.ok")),
        ("publish: denied in another case is another subject", "att", Pub("pub.SECRET")),
        ("publish: pattern that covers the denied", "att", Pub("pub.*")),
        ("publish: pattern of everything", "att", Pub(">")),
        ("publish: denied and a blank token", "att", Pub("pub..secret")),
        ("publish: ends in a dot", "att", Pub("pub.secret.")),
        ("publish: denied behind a tab", "att", "PUB\tpub.secret 6|stolen|"),
        ("publish: several blanks", "att", "PUB   pub.secret   6|stolen|"),
        ("publish: small letters", "att", "pub pub.secret 6|stolen|"),
        ("publish: denied after an allowed repeat", "att", Pub("pub.open") + Pub("pub.open") + Pub("pub.secret")),
        ("publish: denied with headers", "att", HPub("pub.secret", "X: y")),
        ("publish: mapped onto the denied", "att", Pub("map.one")),
        ("publish: mapped into the denied", "att", Pub("pub.moved")),
        ("publish: system account's subjects", "att", Pub("$SYS.REQ.SERVER.PING")),
        ("publish: cluster's subjects", "victim", Pub("$NRG.V.x")),
        ("publish: gateway's replies", "victim", Pub("_GR_.a.b.c")),
        ("publish: everything is denied", "mute", Pub("a")),
        // Replies as a way around.
        ("reply: of services of other accounts", "victim", "PUB ask.x _R_.a.b 6|stolen|"),
        ("reply: acknowledgement", "victim", "PUB ask.x $JS.ACK.S.C.1.1.1.1.0 6|stolen|"),
        ("reply: gateway's", "victim", "PUB ask.x _GR_.a.b.c 6|stolen|"),
        ("reply: publish to what is no reply", "resp", Pub("answers")),
        ("reply: more answers than allowed", "resp", "SUB ask.* 1|PUB ask.self 0||" + Pub("none") + Pub("r.one")),
        ("reply: subject that was never given", "resp", "SUB ask.* 1|" + Pub("_INBOX.victim.1")),
        ("reply: request to a service that is not imported", "other", "SUB _INBOX.o 1|PUB svc.open _INBOX.o 6|stolen|"),
        ("reply: request to a private service", "other", "SUB _INBOX.o 1|PUB svc.private _INBOX.o 6|stolen|"),
        ("reply: guessed route", "other", Pub("_R_.aaaaaa.bbbbbb")),
        ("reply: listening to all routes", "narrow", "SUB _R_.> 1|"),
        // Subscribing past deny and allow.
        ("subscribe: denied", "att", "SUB sub.secret 1|"),
        ("subscribe: not allowed", "att", "SUB pub.ok 1|"),
        ("subscribe: everything", "att", "SUB > 1|"),
        ("subscribe: one token", "att", "SUB * 1|"),
        ("subscribe: pattern that covers the denied", "att", "SUB sub.* 1|"),
        ("subscribe: pattern that covers a denied pattern", "att", "SUB sub.> 1|"),
        ("subscribe: denied pattern itself", "att", "SUB sub.deep.* 1|"),
        ("subscribe: pattern around the allowed", "att", "SUB *.> 1|"),
        ("subscribe: pattern in front", "att", "SUB *.secret 1|"),
        ("subscribe: allowed prefix as part of a token", "att", "SUB submarine 1|"),
        ("subscribe: inboxes of others", "att", "SUB _INBOX.> 1|"),
        ("subscribe: one level of inboxes", "att", "SUB _INBOX.* 1|"),
        ("subscribe: system account's subjects", "att", "SUB $SYS.> 1|"),
        ("subscribe: other case", "att", "SUB SUB.ok 1|"),
        ("subscribe: small letters", "att", "sub sub.secret 1|"),
        ("subscribe: twice the same number", "att", "SUB sub.ok 1|SUB sub.secret 1|"),
        ("subscribe: denied after it was given up", "att", "SUB sub.ok 1|UNSUB 1|SUB sub.secret 1|"),
        ("subscribe: everything is denied", "mute", "SUB sub.ok 1|"),
        ("subscribe: private stream of another account", "other", "SUB priv.> 1|"),
        ("subscribe: exported subject without its prefix", "other", "SUB out.> 1|"),
        ("subscribe: import beyond the permissions", "narrow", "SUB in.out.two 1|"),
        ("subscribe: import by a pattern", "narrow", "SUB in.> 1|"),
        // Queue groups.
        ("queue: without the group", "att", "SUB q.one 1|"),
        ("queue: another group", "att", "SUB q.one thieves 1|"),
        ("queue: the group", "att", "SUB q.one workers 1|"),
        ("queue: without any group", "att", "SUB q.many 1|"),
        ("queue: prefix that does not fit", "att", "SUB q.prefix v2.x 1|"),
        ("queue: prefix alone", "att", "SUB q.prefix v1 1|"),
        ("queue: a wildcard as the group's name", "att", "SUB q.one * 1|"),
        ("queue: everything as the group's name", "att", "SUB q.one > 1|"),
        ("queue: group of a denied subject", "att", "SUB sub.secret workers 1|"),
        ("queue: denied group", "att", "SUB sub.both group 1|"),
        // Trace destinations.
        ("trace: to a denied subject", "att", HPub("pub.open", "Nats-Trace-Dest: pub.secret")),
        ("trace: to a subject that is not allowed", "att", HPub("pub.open", "Nats-Trace-Dest: sub.ok")),
        ("trace: only, to a denied subject", "att", HPub("pub.open", "Nats-Trace-Dest: pub.deep.x|Nats-Trace-Only: true")),
        ("trace: to a pattern", "att", HPub("pub.open", "Nats-Trace-Dest: pub.>")),
        ("trace: to the cluster", "att", HPub("pub.open", "Nats-Trace-Dest: $NRG.x")),
        ("trace: to a gateway's reply", "victim", HPub("pub.open", "Nats-Trace-Dest: _GR_.x.y.z")),
        ("trace: with an answer's permission", "resp", HPub("none", "Nats-Trace-Dest: r.answers")),
        ("trace: to the system account", "mute", HPub("a", "Nats-Trace-Dest: $SYS.SERVER.x.STATSZ")),
        // Headers and lines that pretend.
        ("smuggling: who asks", "other", "SUB _INBOX.o 1|" + HPub("ask.open", "Nats-Request-Info: {\\\"acc\\\":\\\"V\\\",\\\"user\\\":\\\"admin\\\"}", "_INBOX.o")),
        ("smuggling: who asks, twice", "other", "SUB _INBOX.o 1|" + HPub("ask.open", "Nats-Request-Info: {}|Nats-Request-Info: {\\\"acc\\\":\\\"V\\\"}", "_INBOX.o")),
        ("smuggling: frame behind a line feed", "att", "PUB pub.open 6\nstolen\nPUB pub.secret 6|stolen|"),
        ("smuggling: frame in a payload that is too short", "att", "PUB pub.open 3|PUB pub.secret 6|stolen|"),
        ("smuggling: message frame", "att", "MSG pub.secret 1 6|stolen|"),
        ("smuggling: headers frame of a server", "att", "HMSG pub.secret 1 12 18|NATS/1.0||||stolen|"),
        ("smuggling: routed message", "att", "RMSG V pub.secret 6|stolen|"),
        ("smuggling: leaf node's message", "att", "LMSG pub.secret 6|stolen|"),
        ("smuggling: routed subscription", "att", "RS+ V sub.secret|"),
        ("smuggling: leaf node's subscription", "att", "LS+ sub.secret|"),
        ("smuggling: account's interest", "att", "A+ V|"),
        ("smuggling: INFO of a client", "att", "INFO {\"remote_account\":\"P\"}|"),
        ("smuggling: header size beyond the total", "att", "HPUB pub.open 99 6|stolen|"),
        ("smuggling: negative header size", "att", "HPUB pub.open -1 6|stolen|"),
        ("smuggling: size with a sign", "att", "PUB pub.open +6|stolen|"),
        ("smuggling: size of 2^32 and 6", "att", "PUB pub.open 4294967302|stolen|"),
        ("smuggling: NUL in a denied subject", "att", "PUB pub.secret\0 6|stolen|"),
        ("smuggling: full-width dot", "att", "PUB pub\u00ef\u00bc\u008esecret 6|stolen|"),
        // Changing who one is.
        ("identity: CONNECT again as the victim with a wrong password", "att", "CONNECT {\"user\":\"victim\",\"pass\":\"wrong\"}|" + Pub("pub.secret")),
        ("identity: account in CONNECT", "other", "CONNECT {\"user\":\"other\",\"pass\":\"p\",\"account\":\"V\",\"verbose\":false}|SUB sub.> 1|"),
    ];

    private static string Pub(string subject) => $"PUB {subject} 6|stolen|";

    // Braces of JSON in headers are written as they are.
    private static string HPub(string subject, string headers, string replyTo = "")
    {
        var block = $"NATS/1.0|{headers.Replace("\\\"", "\"", StringComparison.Ordinal)}||";
        var length = block.Length + block.Count(static letter => letter == '|');
        return string.Create(System.Globalization.CultureInfo.InvariantCulture, $"HPUB {subject} {(replyTo.Length == 0 ? "" : replyTo + " ")}{length} {length + 6}|{block}stolen|");
    }
}
