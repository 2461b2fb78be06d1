using System.Globalization;
using Postrider.Load.Native;
using Postrider.Load.Servers;

namespace Postrider.Load;

/// <summary>The command line.</summary>
internal sealed class Options
{
    public const string Usage = """
        usage: Postrider.Load VERB [options]
          broker      rates and latencies, memory, growth          (--tables core,memory,growth,settings,tls,leaf; soak is one more)
          soak        mixed load for a long time, memory sampled   (--minutes 10)
          jetstream   streams: publishing, consuming, large streams   (--tables rates,large,safe,schedules)
          client      our client beside nats.js and NATS.Net, against one server (--node FOLDER that has its node_modules)
          start       what a program costs before it has done anything: size, start, client verbs, idle memory, first stream
          hostile     a victim's load, alone and beside hostile clients   (--minutes 10 --seed S --clients 6)
        servers
          --postrider PATH       ours: PATH serve -p PORT -a 127.0.0.1
          --go PATH              Go's nats-server: PATH -p PORT -a 127.0.0.1
          --nats PATH            the nats tool, whose start is compared with that of our client verbs
          --server NAME=COMMAND  any other; {port} in COMMAND is the port it shall listen on
          --server NAME=@PORT:PROCESS   one that already runs
        what and how long
          --quick                fewer and shorter repetitions, under five minutes for each table
          --repeats N            repetitions per row and server (5)
          --seconds S            length of one repetition (1.5)
          --messages N           publish at least so many per repetition
          --store FOLDER         where servers keep streams (artifacts/bench)
          --row NAME             this row only (may be repeated; the verb rows names them)
          --seed S               seed of the hostile clients' choices; --clients N: how many there are (6)
          --behaviour TEXT       hostile clients do only what has this in its name
          --control              hostile: first the same clients at another server, which takes only processor time
          --separate             hostile: server and victim on half of the processors, the hostile clients on the others
          --each                 hostile: one behaviour after another, each with the latencies beside it
          --memory-mb N          a server that needs more beside hostile clients fails (1536)
          --victim-load X        rates of the victim's measured messages, times the usual ones (1)
          --rest                 hostile: without the load that fills the server beside them
        results
          --json FILE            one line per figure
          --write-results DIR    rewrite the verb's section of DIR/RESULTS.md and its files in DIR/results
          --command TEXT         what to print as the command that made them
        """;

    /// <summary>What the program adds to its own arguments when it starts itself again: see <see cref="Processors"/>.</summary>
    public const string ProcessorsOption = "--processors";

    private string[]? _tables;

    public string Verb { get; private init; } = "";

    public List<ServerSpec> Servers { get; } = [];

    public bool Quick { get; private set; }

    public int? RepeatsGiven { get; private set; }

    public double? SecondsGiven { get; private set; }

    public long Messages { get; private set; }

    public List<string> Rows { get; } = [];

    public string[] Tables => _tables ?? (Verb == "jetstream" ? ["rates", "large", "safe", "schedules"] : ["core", "memory", "growth"]);

    /// <summary>The folder below which servers keep streams: on the disk that is to be measured.</summary>
    public string StoreFolder { get; private set; } = Path.Combine("artifacts", "bench");

    /// <summary>The path of the nats tool; null if it is not installed.</summary>
    public string? NatsTool { get; private set; }

    public string? JsonFile { get; private set; }

    public string? ResultsFolder { get; private set; }

    public string Command => CommandGiven ?? $"./dev bench {Verb}";

    public string? CommandGiven { get; private set; }

    /// <summary>The folder whose node_modules holds the official npm client.</summary>
    public string NodeFolder { get; private set; } = Path.Combine("tests", "Postrider.InteropTests", "node");

    public double Minutes { get; private set; } = 10;

    public int Seed { get; private set; } = Random.Shared.Next();

    /// <summary>Hostile clients; each has a few connections at once.</summary>
    public int Clients { get; private set; } = 6;

    /// <summary>What a hostile behaviour's name must contain.</summary>
    public string Behaviour { get; private set; } = "";

    /// <summary>Hostile behaviours run one after another instead of at random.</summary>
    public bool Each { get; private set; }

    // Each hostile client: a slow reader with 64 MiB, a sender's and the inbox's connection the same at worst (6 x 128 MiB);
    // atomic batches 256 MiB; streams of 32 MiB in memory, 8 of them; the rest is the program and what the collector has not got back.
    /// <summary>The most resident memory of a server beside hostile clients.</summary>
    public double MemoryMegabytes { get; private set; } = 1536;

    /// <summary>The victim's rates, as a multiple of the usual ones.</summary>
    public double VictimLoad { get; private set; } = 1;

    /// <summary>The hostile clients attack another server of the same kind first.</summary>
    public bool Control { get; private set; }

    /// <summary>The hostile clients have processors of their own.</summary>
    public bool Separate { get; private set; }

    /// <summary>The halves of the processors, after the program was started again on the first of them; null otherwise.</summary>
    public ProcessorSplit? Processors { get; private set; }

    /// <summary>The victim does not fill the server.</summary>
    public bool LeavesRest { get; private set; }

    public int Repeats => RepeatsGiven ?? (Quick ? 3 : 5);

    public double Seconds => SecondsGiven ?? (Quick ? 0.5 : 1.5);

    public bool Wants(string row) => Rows.Count == 0 || Rows.Contains(row);

    public static Options Parse(string[] arguments)
    {
        if (arguments.Length == 0 || arguments[0] is "help" or "-h" or "--help")
            return new Options { Verb = "help" };

        var options = new Options { Verb = arguments[0] };
        for (var i = 1; i < arguments.Length; i++)
        {
            var name = arguments[i];
            if (options.SetFlag(name))
                continue;
            if (++i == arguments.Length)
                throw new LoadException($"{name} wants a value, or is not an option.");
            options.Set(name, arguments[i]);
        }

        return options;
    }

    private bool SetFlag(string name)
    {
        switch (name)
        {
            case "--each": return Each = true;
            case "--control": return Control = true;
            case "--separate": return Separate = true;
            case "--rest": return LeavesRest = true;
            case "--quick": return Quick = true;
            default: return false;
        }
    }

    private void Set(string name, string value)
    {
        switch (name)
        {
            case "--postrider": Servers.Add(ServerSpec.Postrider(value)); break;
            case "--go": Servers.Add(ServerSpec.Go(value)); break;
            case "--nats": NatsTool = value; break;
            case "--server": Servers.Add(ServerSpec.Parse(value)); break;
            case "--repeats": RepeatsGiven = (int)Number(name, value); break;
            case "--seconds": SecondsGiven = Number(name, value); break;
            case "--messages": Messages = (long)Number(name, value); break;
            case "--minutes": Minutes = Number(name, value); break;
            case "--seed": Seed = (int)Number(name, value); break;
            case "--clients": Clients = (int)Number(name, value); break;
            case "--behaviour": Behaviour = value; break;
            case "--memory-mb": MemoryMegabytes = Number(name, value); break;
            case "--victim-load": VictimLoad = Number(name, value); break;
            case ProcessorsOption: Processors = new ProcessorSplit(value); break;
            case "--row": Rows.Add(value); break;
            case "--tables": _tables = value.Split(','); break;
            case "--store": StoreFolder = value; break;
            case "--node": NodeFolder = value; break;
            case "--json": JsonFile = value; break;
            case "--write-results": ResultsFolder = value; break;
            case "--command": CommandGiven = value; break;
            default: throw new LoadException($"Unknown option {name}.");
        }
    }

    private static double Number(string name, string value)
        => double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= 0
            ? number : throw new LoadException($"{name} wants a number, not '{value}'.");
}
