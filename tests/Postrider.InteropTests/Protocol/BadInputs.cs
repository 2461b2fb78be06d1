using System.Text;

namespace Postrider.InteropTests.Protocol;

/// <summary>Inputs that no client should send, one character a byte. What a server must answer is what Go's answers.</summary>
internal static class BadInputs
{
    private const string Hello = "CONNECT {\"verbose\":false}\r\n";
    private const string HelloHeaders = "CONNECT {\"verbose\":false,\"headers\":true}\r\n";
    private const string Pedantic = "CONNECT {\"verbose\":false,\"pedantic\":true}\r\n";

    /// <summary>Inputs that ours answers otherwise than Go's, on purpose, with our answer and the reason.</summary>
    public static TheoryData<string, string, string> DecidedDifferences => new()
    {
        {
            Hello + $"PUB {new string(' ', 5000)}a 1\r\nx\r\n", "-ERR 'maximum control line exceeded'\r\n",
            "Go's server reads spaces before an argument without end; ours holds them to the limit of the line."
        },
    };

    /// <summary>Every input with its name, which says the group and what is wrong.</summary>
    public static IReadOnlyDictionary<string, string> All { get; } = Build();

    private static Dictionary<string, string> Build()
    {
        var all = new Dictionary<string, string>();
        Add(all, "verb", Verbs());
        Add(all, "arguments", Arguments());
        Add(all, "size", Sizes());
        Add(all, "subject", Subjects());
        Add(all, "line", Lines());
        Add(all, "connect", Connects());
        Add(all, "headers", HeaderFrames());
        Add(all, "half", Halves());
        Add(all, "noise", Noise());
        Add(all, "damage", Damage());
        return all;
    }

    private static void Add(Dictionary<string, string> all, string group, IEnumerable<string> inputs)
    {
        var number = 0;
        foreach (var input in inputs)
            all[$"{group} {++number:00}: {Shown(input)}"] = input;
    }

    private static IEnumerable<string> Verbs() =>
    [
        "HELLO\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "PUBLISH a 1\r\nx\r\n", "PUBB a 1\r\nx\r\n", "P\r\n", "PU a 1\r\nx\r\n",
        "SUBSCRIBE a 1\r\n", "SUBX a 1\r\n", "S\r\n", "UNSUBSCRIBE 1\r\n", "UNSUBX 1\r\n", "U\r\n", "PINGG\r\n", "PIN\r\n", "PI\rNG\r\n",
        "PONGX\r\n", "PO\r\n", "HPUBX a 1 1\r\n", "H\r\n", "HMSG a 1 1 1\r\nx\r\n", "MSG a 1 1\r\nx\r\n", "INFO {}\r\n", "+OK\r\n", "+NO\r\n",
        "-ERR 'x'\r\n", "-ERX\r\n", "CONNECTX {}\r\n", "CON\r\n", "1234\r\n", "{}\r\n", " PING\r\n", "\tPING\r\n", "\0\r\n", "\u00ff\r\n",
        "RMSG $G a 1\r\nx\r\n", "RS+ $G a\r\n", "LS+ a\r\n", "LMSG a 1\r\nx\r\n", "A+ x\r\n", "A- x\r\n",
    ];

    private static IEnumerable<string> Arguments() =>
    [
        Hello + "PUB\r\n", Hello + "PUB \r\n", Hello + "PUB a\r\n", Hello + "PUB a b c 1\r\nx\r\n", Hello + "PUB a b c d 1\r\nx\r\n",
        Hello + "SUB\r\n", Hello + "SUB \r\n", Hello + "SUB a\r\n", Hello + "SUB a b c d\r\n", Hello + "UNSUB\r\n", Hello + "UNSUB \r\n",
        Hello + "UNSUB 1 2 3\r\n", Hello + "UNSUB 1 x\r\n", Hello + "UNSUB 1 -1\r\n", Hello + "UNSUB 1 0\r\n", Hello + "UNSUB 1 99999999999999999999\r\n",
        Hello + "PING now\r\n", Hello + "PONG now\r\n", Hello + "PUB\ta\t1\r\nx\r\n", Hello + "PUB a 1 \r\nx\r\n", Hello + "SUB a  \t 1  \r\n",
        Hello + "SUB a q q 1\r\n", Hello + "PUBa 1\r\nx\r\n", Hello + "SUBa 1\r\n",
    ];

    private static IEnumerable<string> Sizes() =>
    [
        Hello + "PUB a -1\r\n", Hello + "PUB a -0\r\n\r\n", Hello + "PUB a +1\r\nx\r\n", Hello + "PUB a 01\r\nx\r\n", Hello + "PUB a 0x1\r\nx\r\n",
        Hello + "PUB a 1.0\r\nx\r\n", Hello + "PUB a 1e3\r\nx\r\n", Hello + "PUB a x\r\n", Hello + "PUB a 1x\r\nx\r\n", Hello + "PUB a \u00b2\r\nx\r\n",
        Hello + "PUB a 1048577\r\n", Hello + "PUB a 2147483647\r\n", Hello + "PUB a 2147483648\r\n", Hello + "PUB a 4294967296\r\n",
        Hello + "PUB a 9223372036854775807\r\n", Hello + "PUB a 9223372036854775808\r\n", Hello + "PUB a 18446744073709551616\r\n",
        Hello + "PUB a 99999999999999999999999999\r\n", Hello + "PUB a 000000000000000000000000001\r\nx\r\n", Hello + "PUB a 1\r\nxy\r\n",
        Hello + "PUB a 2\r\nx\r\n\r\n", Hello + "PUB a 0\r\nx\r\n", Hello + "PUB a 1\r\nx\n\n", Hello + "PUB a 1\r\nx\rx", Hello + "PUB a 1\r\nxPING\r\n",
        Hello + "PUB a 3\nabc\nPING\n", Hello + "PUB a 1\n\rx\r\n",
    ];

    private static IEnumerable<string> Subjects() =>
    [
        Hello + "SUB .a 1\r\n", Hello + "SUB a. 1\r\n", Hello + "SUB a..b 1\r\n", Hello + "SUB . 1\r\n", Hello + "SUB .. 1\r\n", Hello + "SUB >.a 1\r\n",
        Hello + "SUB a.>.b 1\r\n", Hello + "SUB a.>> 1\r\n", Hello + "SUB a\0b 1\r\n", Hello + "SUB \u00e9 1\r\n", Hello + "SUB a . 1\r\n", Pedantic + "SUB a..b 1\r\n",
        Hello + "PUB .a 1\r\nx\r\n", Hello + "PUB a. 1\r\nx\r\n", Hello + "PUB a..b 1\r\nx\r\n", Hello + "PUB * 1\r\nx\r\n", Hello + "PUB > 1\r\nx\r\n",
        Pedantic + "PUB .a 1\r\nx\r\n", Pedantic + "PUB a. 1\r\nx\r\n", Pedantic + "PUB a..b 1\r\nx\r\n", Pedantic + "PUB a.* 1\r\nx\r\n",
        Pedantic + "PUB > 1\r\nx\r\n", Pedantic + "PUB a*b 1\r\nx\r\n", Pedantic + "PUB a b.* 1\r\nx\r\n", Hello + "PUB a\0b 1\r\nx\r\n",
        Hello + "PUB $SYS.REQ.SERVER.PING 1\r\nx\r\n", Hello + "SUB $SYS.> 1\r\n", Hello + "PUB $JS.ACK.x 1\r\nx\r\n",
    ];

    private static IEnumerable<string> Lines() =>
    [
        Hello + $"PUB {new string('a', 4080)} 1\r\nx\r\n", Hello + $"PUB {new string('a', 4090)} 1\r\nx\r\n", Hello + $"PUB {new string('a', 4091)} 1\r\nx\r\n",
        Hello + $"PUB {new string('a', 4096)} 1\r\nx\r\n", Hello + $"PUB {new string('a', 5000)} 1\r\nx\r\n", Hello + $"SUB {new string('a', 4096)} 1\r\n",
        Hello + $"SUB a {new string('9', 4200)}\r\n", Hello + $"PUB {new string(' ', 4000)}a 1\r\nx\r\n", Hello + $"UNSUB {new string('1', 5000)}\r\n",
        new string('A', 5000) + "\r\n", new string('\r', 5000), new string('\n', 5000), new string('\0', 100_000), new string('P', 100_000),
        Hello + "PUB " + new string('a', 100_000), Hello + "PING" + new string(' ', 5000) + "\r\n", "PING" + new string('x', 5000),
        $"CONNECT {{\"name\":\"{new string('n', 5000)}\"}}\r\n", $"CONNECT {{\"name\":\"{new string('n', 100_000)}\"}}\r\n",
        Hello + "SUB a 1\nPING\n", Hello + "SUB a\r 1\r\n", Hello + "PING\r\r\n", Hello + "PING\rPONG\r\n",
    ];

    private static IEnumerable<string> Connects() =>
    [
        "CONNECT\r\n", "CONNECT \r\n", "CONNECT {\r\n", "CONNECT }\r\n", "CONNECT []\r\n", "CONNECT null\r\n", "CONNECT 1\r\n", "CONNECT \"x\"\r\n",
        "CONNECT {\"verbose\":\"yes\"}\r\n", "CONNECT {\"verbose\":1}\r\n", "CONNECT {\"user\":5}\r\n", "CONNECT {\"protocol\":\"1\"}\r\n",
        "CONNECT {\"protocol\":5}\r\n", "CONNECT {\"protocol\":-1}\r\n", "CONNECT {\"unknown\":{\"a\":[1,2]}}\r\n", "CONNECT {} {}\r\n",
        "CONNECT {\"verbose\":false}" + "\r\nCONNECT {\"verbose\":true}\r\n", "CONNECT {\"no_responders\":true}\r\n", "CONNECT {\"name\":\"\u00ff\u00fe\"}\r\n",
        "CONNECT {\"name\":\"\\ud800\"}\r\n", "CONNECT {'verbose':false}\r\n", "CONNECT {\"verbose\":false,}\r\n", "CONNECT {\"verbose\":null}\r\n",
    ];

    private static IEnumerable<string> HeaderFrames() =>
    [
        Hello + "HPUB a 12 12\r\nNATS/1.0\r\n\r\n\r\n", HelloHeaders + "HPUB\r\n", HelloHeaders + "HPUB a\r\n", HelloHeaders + "HPUB a 12\r\n",
        HelloHeaders + "HPUB a b c 12 12\r\nNATS/1.0\r\n\r\n\r\n", HelloHeaders + "HPUB a 12 11\r\nNATS/1.0\r\n\r\n\r\n", HelloHeaders + "HPUB a -1 12\r\n",
        HelloHeaders + "HPUB a 12 -1\r\n", HelloHeaders + "HPUB a x 12\r\n", HelloHeaders + "HPUB a 12 x\r\n", HelloHeaders + "HPUB a 0 0\r\n\r\n",
        HelloHeaders + "HPUB a 4 4\r\nabcd\r\n", HelloHeaders + "HPUB a 12 1048577\r\n", HelloHeaders + "HPUB a 1048577 1048577\r\n",
        HelloHeaders + "HPUB a 99999999999999999999 99999999999999999999\r\n", HelloHeaders + "HPUB a 12 12\r\nNATS/1.0\r\n\r\nxx", HelloHeaders + "hpub a 12 12\r\nNATS/1.0\r\n\r\n\r\n",
    ];

    // Nothing follows: the fence behind each is swallowed by the frame, and the server must neither answer nor be hurt.
    private static IEnumerable<string> Halves() =>
    [
        "", "C", "CONNECT", "CONNECT {", "CONNECT {\"verbose\"", Hello + "P", Hello + "PUB", Hello + "PUB a", Hello + "PUB a 5", Hello + "PUB a 5\r",
        Hello + "PUB a 500\r\nhel", Hello + "PUB a 1000000\r\nhel", Hello + "S", Hello + "SUB a", Hello + "SUB a 1", Hello + "SUB a 1\r", Hello + "UNS", Hello + "UNSUB 1",
        HelloHeaders + "HP", HelloHeaders + "HPUB a 12 12\r\nNATS", HelloHeaders + "HPUB a 12 500\r\nNATS/1.0\r\n\r\n", Hello + "PO",
    ];

    private static IEnumerable<string> Noise()
        => Enumerable.Range(1, 20).Select(seed => Random(seed, seed * 37)).Concat(Enumerable.Range(1, 10).Select(seed => Hello + Random(100 + seed, seed * 211)));

    // Valid traffic with a few bytes changed.
    private static IEnumerable<string> Damage()
    {
        const string Good = "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB a.b 1\r\nPUB a.b 5\r\nhello\r\nHPUB a.b 18 20\r\nNATS/1.0\r\nK: v\r\n\r\nok\r\nUNSUB 1\r\nPUB a.b r 0\r\n\r\n";
        for (var seed = 1; seed <= 30; seed++)
        {
            var random = new Random(seed);
            var bytes = Good.ToCharArray();
            for (var i = 0; i < 1 + (seed % 3); i++)
                bytes[random.Next(bytes.Length)] = (char)random.Next(256);

            yield return new string(bytes);
        }
    }

    private static string Random(int seed, int length)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return Encoding.Latin1.GetString(bytes);
    }

    private static string Shown(string input)
    {
        var text = new StringBuilder();
        foreach (var letter in input.Length > 60 ? input[..25] + "…" + input[^30..] : input)
        {
            text.Append(letter switch
            {
                '\r' => "\\r",
                '\n' => "\\n",
                < ' ' or (>= '\x7f' and < '\u0100') => $"\\x{(int)letter:x2}",
                _ => letter,
            });
        }

        return text.ToString();
    }
}
