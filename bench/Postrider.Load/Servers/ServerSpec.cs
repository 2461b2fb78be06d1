namespace Postrider.Load.Servers;

/// <summary>A server under test: its name in the tables and how to start it.</summary>
/// <param name="Name">Name in tables and JSON lines.</param>
/// <param name="Command">Program and arguments; <c>{port}</c> stands for the port it shall listen on, <c>{store}</c> for the folder of its streams.</param>
/// <param name="Attached">Port and process of a server that already runs and is neither started nor stopped.</param>
internal sealed record ServerSpec(string Name, string Command, (int Port, int Process)? Attached = null)
{
    public const string Ours = "postrider";
    public const string Peer = "nats-server";

    /// <summary>The user for the connections of subscribers and requesters; null for connections without credentials.</summary>
    public string? SubscriberUser { get; init; }

    public static ServerSpec Postrider(string path) => new(Ours, $"{path} serve -p {{port}} -a 127.0.0.1");

    public static ServerSpec Go(string path) => new(Peer, $"{path} -p {{port}} -a 127.0.0.1");

    /// <summary>The same server with streams in the folder it is given.</summary>
    public ServerSpec WithStreams() => this with { Command = $"{Command} -js -sd {{store}}" };

    /// <summary>The same server with what the file <see cref="StoreFolder.Configuration"/> in its folder says.</summary>
    public ServerSpec WithConfiguration() => this with { Command = $"{Command} -c {{store}}/{StoreFolder.Configuration}" };

    /// <summary>Reads <c>NAME=COMMAND</c>, or <c>NAME=@PORT:PROCESS</c> for a server that already runs.</summary>
    public static ServerSpec Parse(string text)
    {
        var parts = text.Split('=', 2);
        if (parts.Length != 2 || parts[0].Length == 0 || parts[1].Length == 0)
            throw new LoadException($"--server wants NAME=COMMAND or NAME=@PORT:PROCESS, not '{text}'.");
        if (parts[1][0] != '@')
            return new(parts[0], parts[1]);

        var place = parts[1][1..].Split(':');
        return place.Length == 2 && int.TryParse(place[0], out var port) && int.TryParse(place[1], out var process)
            ? new(parts[0], "", (port, process))
            : throw new LoadException($"'{parts[1]}' is not @PORT:PROCESS.");
    }
}
