using System.Text;

namespace Postrider.Load.Hostile;

/// <summary>Behaviours that need no stream.</summary>
internal static class CoreAttacks
{
    public static IEnumerable<Behaviour> All =>
    [
        new("subscribe and unsubscribe", SubscribeAndUnsubscribe),
        new("very many subscriptions", VeryManySubscriptions),
        new("deep wildcards", DeepWildcards),
        new("overlapping wildcards", OverlappingWildcards),
        new("queue groups", QueueGroups),
        new("unsubscribe after huge counts", UnsubscribeAfterHugeCounts),
        new("largest payloads", LargestPayloads),
        new("payloads beyond the limit", BeyondTheLimit),
        new("partial frames", PartialFrames),
        new("endless control line", EndlessLine),
        new("PING flood", Pings),
        new("PING flood, not read", PingsNotRead),
        new("fan-out to a slow reader", SlowReader),
        new("connections come and go", Churn),
        new("connections that say nothing", Silent),
        new("connections one byte at a time", ByteByByte),
        new("CONNECT with garbage", ConnectGarbage),
        new("wrong passwords", WrongPasswords),
        new("CONNECT again and again", ConnectAgain),
        new("verbose frames", Verbose),
        new("malformed headers", MalformedHeaders),
        new("thousands of headers", ManyHeaders),
        new("random bytes", RandomBytes),
        new("other protocols", OtherProtocols),
        new("requests without responders", NoResponders),
        new("long subjects", LongSubjects),
        new("small messages at full speed", SmallMessages),
        new("new subjects at full speed", NewSubjects),
        new("monitoring pages", Monitoring),
        new("monitoring, not read", MonitoringNotRead),
    ];

    private static void SubscribeAndUnsubscribe(Attack attack)
    {
        for (var sid = 0; attack.More;)
        {
            var text = new StringBuilder();
            for (var i = 0; i < 500; i++, sid++)
                text.Append($"SUB h.sub.{sid} {sid}\r\nUNSUB {sid}\r\n");
            attack.Send(text.ToString());
        }
    }

    private static void VeryManySubscriptions(Attack attack)
    {
        for (var sid = 0; attack.More && sid < 50_000;)
        {
            var text = new StringBuilder();
            for (var i = 0; i < 500; i++, sid++)
                text.Append($"SUB h.many.{sid}.{(sid % 3 == 0 ? "*" : "x")} {sid}\r\n");
            attack.Send(text.ToString());
        }
    }

    private static void DeepWildcards(Attack attack)
    {
        for (var sid = 0; attack.More && sid < 3000; sid++)
        {
            var tokens = Enumerable.Range(0, 2 + attack.Random.Next(60)).Select(_ => attack.Random.Next(2) == 0 ? "*" : "a");
            attack.Send($"SUB h.{string.Join('.', tokens)}{(sid % 2 == 0 ? ".>" : "")} d{sid}\r\nPUB h{string.Concat(Enumerable.Repeat(".a", attack.Random.Next(2, 60)))} 1\r\nx\r\n");
        }
    }

    private static void OverlappingWildcards(Attack attack)
    {
        var text = new StringBuilder();
        for (var sid = 0; sid < 2000; sid++)
            text.Append($"SUB h.{(sid % 2 == 0 ? "*" : "w")}.{(sid % 3 == 0 ? "*" : "w")}.> o{sid}\r\n");
        attack.Send(text.ToString());
        while (attack.More)
            attack.Publish("h.w.w.w", new string('x', 200));
    }

    private static void QueueGroups(Attack attack)
    {
        for (var sid = 0; attack.More && sid < 20_000; sid++)
            attack.Send($"SUB h.queue.> group{sid % 500} q{sid}\r\n" + (sid % 10 == 0 ? "PUB h.queue.x 1\r\nx\r\n" : ""));
    }

    private static void UnsubscribeAfterHugeCounts(Attack attack)
    {
        for (var sid = 0; attack.More; sid++)
            attack.Send($"SUB h.max.* {sid % 100}\r\nUNSUB {sid % 100} {9_223_372_036_854_775_807 - sid}\r\nPUB h.max.x 1\r\nx\r\nUNSUB {sid % 100} 1\r\n");
    }

    private static void LargestPayloads(Attack attack)
    {
        var frame = Attack.Frame("h.large", new string('x', 1024 * 1024));
        attack.Send("SUB h.large 1\r\nSUB h.> group 2\r\n");
        while (attack.More)
            attack.Send(frame);
    }

    private static void BeyondTheLimit(Attack attack)
    {
        foreach (var size in (string[])["1048577", "2147483648", "99999999999", "18446744073709551616", "-1", "1e9"])
            TryOn(attack, socket => socket.Send($"PUB h.x {size}\r\n{new string('x', 4096)}"));
    }

    private static void PartialFrames(Attack attack)
    {
        while (attack.More)
        {
            TryOn(attack, socket =>
            {
                var size = attack.Random.Next(1, 1024 * 1024);
                socket.Send($"PUB h.part {size}\r\n{new string('x', attack.Random.Next(size))}");
            });
        }
    }

    private static void EndlessLine(Attack attack)
        => TryOn(attack, socket =>
        {
            socket.Send("PUB h.");
            while (attack.More)
                socket.Send(new string('a', 8192));
        });

    private static void Pings(Attack attack)
    {
        var pings = string.Concat(Enumerable.Repeat("PING\r\n", 1000));
        while (attack.More)
            attack.Send(pings);
    }

    private static void PingsNotRead(Attack attack)
    {
        var pings = string.Concat(Enumerable.Repeat("PING\r\n", 1000));
        for (var i = 0; i < 2000 && attack.More; i++)
            attack.Wire.Send(pings);
    }

    private static void SlowReader(Attack attack)
    {
        var slow = attack.Open();
        for (var sid = 0; sid < 50; sid++)
            slow.Send($"SUB h.fan {sid}\r\n");
        var frame = Attack.Frame("h.fan", new string('x', 4096));
        while (attack.More)
        {
            attack.Send(frame);
            slow.TryRead(0, out _);
        }
    }

    private static void Churn(Attack attack)
    {
        while (attack.More)
        {
            using var socket = ProtocolSocket.Open(attack.Port, HostileConfiguration.Hostile);
            socket.Send("SUB h.churn.* 1\r\nPUB h.churn.x 1\r\nx\r\n");
        }
    }

    private static void Silent(Attack attack)
    {
        for (var i = 0; i < 100; i++)
            attack.Connect(attack.Port);
        attack.Listen(attack.Wire, 500);
    }

    private static void ByteByByte(Attack attack)
    {
        var socket = attack.Connect(attack.Port);
        foreach (var letter in "CONNECT {\"user\":\"hostile\",\"pass\":\"hostile\"}\r\nPING\r\nSUB h.x 1\r\n")
            socket.Send(letter.ToString());
        socket.Discard(100);
    }

    private static void ConnectGarbage(Attack attack)
    {
        string[] all =
        [
            "CONNECT {\r\n", "CONNECT []\r\n", "CONNECT {\"user\":{}}\r\n", "CONNECT " + new string('{', 3000) + "\r\n",
            "CONNECT {\"user\":\"" + new string('u', 3000) + "\"}\r\n", "CONNECT {\"protocol\":99999999999999999999}\r\n",
            "CONNECT \u0000\u00ff\r\n", "connect\r\n", "PUB h.x 1\r\nx\r\n", "SUB > 1\r\n",
        ];
        foreach (var text in all)
            TryOn(attack, socket => socket.Send(text), loggedIn: false);
    }

    private static void WrongPasswords(Attack attack)
    {
        while (attack.More)
            TryOn(attack, socket => socket.Send($"CONNECT {{\"user\":\"victim\",\"pass\":\"{attack.Random.Next()}\"}}\r\nPING\r\n"), loggedIn: false);
    }

    private static void ConnectAgain(Attack attack)
    {
        while (attack.More)
            attack.Send("CONNECT {\"user\":\"hostile\",\"pass\":\"hostile\",\"verbose\":false,\"headers\":true}\r\n");
    }

    private static void Verbose(Attack attack)
    {
        using var socket = ProtocolSocket.Open(attack.Port, HostileConfiguration.Hostile, verbose: true);
        while (attack.More)
        {
            socket.Send(string.Concat(Enumerable.Repeat("PUB h.v 1\r\nx\r\n", 500)));
            attack.Drain(socket);
        }
    }

    private static void MalformedHeaders(Attack attack)
    {
        string[] all =
        [
            "HPUB h.x 0 0\r\n\r\n", "HPUB h.x 12 4\r\nNATS/1.0\r\n\r\n\r\n", "HPUB h.x 12 12\r\nXXXX/1.0\r\n\r\n\r\n",
            "HPUB h.x 99999999 99999999\r\n", "HPUB h.x -1 5\r\nhello\r\n", "HPUB h.x 20 20\r\nNATS/1.0\r\n:::::::\r\n\r\n\r\n",
        ];
        foreach (var text in all)
            TryOn(attack, socket => socket.Send(text));
    }

    private static void ManyHeaders(Attack attack)
    {
        attack.MakeStream(0);
        var frame = Attack.Frame("h.0.headers", Enumerable.Range(0, 5000).Select(i => $"Header-{i}: {i}"), "x");
        attack.Send("SUB h.0.headers 1\r\n");
        while (attack.More)
            attack.Send(frame);
    }

    private static void RandomBytes(Attack attack)
    {
        while (attack.More)
        {
            TryOn(attack, socket =>
            {
                var bytes = new byte[attack.Random.Next(1, 20_000)];
                attack.Random.NextBytes(bytes);
                socket.Send(bytes);
            }, loggedIn: attack.Random.Next(2) == 0);
        }
    }

    private static void OtherProtocols(Attack attack)
    {
        TryOn(attack, socket => socket.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), loggedIn: false);
        TryOn(attack, socket => socket.Send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), loggedIn: false);
        TryOn(attack, socket => socket.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), loggedIn: false);
    }

    private static void NoResponders(Attack attack)
    {
        attack.Send("SUB h.reply 9\r\n");
        var frames = string.Concat(Enumerable.Repeat("PUB h.nobody h.reply 1\r\nx\r\n", 200));
        while (attack.More)
            attack.Send(frames);
    }

    private static void LongSubjects(Attack attack)
    {
        for (var sid = 0; attack.More; sid++)
        {
            var subject = "h." + new string((char)('a' + (sid % 26)), 1900) + sid;
            attack.Send($"SUB {subject} {sid}\r\n{Attack.Frame(subject, "x")}");
        }
    }

    private static void SmallMessages(Attack attack)
    {
        var frames = string.Concat(Enumerable.Repeat("PUB h.small 1\r\nx\r\n", 5000));
        attack.Send("SUB h.small 1\r\n");
        while (attack.More)
            attack.Send(frames);
    }

    private static void NewSubjects(Attack attack)
    {
        attack.Send("SUB h.new.> 1\r\n");
        for (var number = 0; attack.More;)
        {
            var text = new StringBuilder();
            for (var i = 0; i < 1000; i++)
                text.Append($"PUB h.new.{attack.Random.Next()}.{number++} 1\r\nx\r\n");
            attack.Send(text.ToString());
        }
    }

    private static void Monitoring(Attack attack)
    {
        string[] pages =
        [
            "/varz", "/connz?subs=detail&limit=100000", "/connz?sort=bytes_to&offset=999999999", "/subsz?subs=1&limit=100000", "/jsz?streams=1&consumers=1&config=1",
            "/healthz", "/routez", "/accountz", "/connz?limit=-1", "/jsz?limit=99999999999999", "/" + new string('a', 5000), "/metrics", "/",
        ];
        while (attack.More)
        {
            using var socket = ProtocolSocket.Connect(attack.MonitoringPort);
            socket.Send($"GET {pages[attack.Random.Next(pages.Length)]} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            socket.Discard(500);
        }
    }

    private static void MonitoringNotRead(Attack attack)
    {
        for (var i = 0; i < 20; i++)
        {
            var socket = attack.Connect(attack.MonitoringPort);
            socket.Send(string.Concat(Enumerable.Repeat("GET /connz?subs=1 HTTP/1.1\r\nHost: x\r\n\r\n", i % 2 == 0 ? 50 : 1)) + "GET /");
        }

        attack.Listen(attack.Wire, 500);
    }

    // A connection of its own that the server may end.
    private static void TryOn(Attack attack, Action<ProtocolSocket> work, bool loggedIn = true)
    {
        try
        {
            using var socket = loggedIn ? ProtocolSocket.Open(attack.Port, HostileConfiguration.Hostile) : ProtocolSocket.Connect(attack.Port);
            work(socket);
            socket.Discard(20);
        }
        catch (Exception e) when (Attack.IsExpected(e))
        {
            // That the connection ends is one of the two right answers; that the server goes on is checked by the victim.
        }
    }
}
