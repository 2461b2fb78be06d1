using System.Text.Json;
using Postrider.Load.Native;

namespace Postrider.Load.Clients;

/// <summary>A client under test: its name in the tables and the program that drives it.</summary>
/// <param name="Name">Name in tables and JSON lines.</param>
/// <param name="Command">Program and first arguments; mode, port, bytes and seconds follow.</param>
internal sealed record ClientSpec(string Name, string[] Command)
{
    public const string Ours = "postrider";
    public const string Node = "nats.js";
    public const string NatsNet = "NATS.Net";

    public static ClientSpec Postrider { get; } = new(Ours, [.. OwnProgram.Command, ClientDriver.Verb]);

    /// <summary>What the client's own package says; empty for ours, which is the commit.</summary>
    public string Version { get; init; } = "";

    /// <summary>The modes that the client has nothing for.</summary>
    public IReadOnlyList<string> Lacks { get; init; } = [];

    /// <summary>The official npm client, or null when the folder does not hold it.</summary>
    /// <param name="folder">The folder whose <c>node_modules</c> has @nats-io/transport-node.</param>
    public static ClientSpec? NatsJs(string folder)
    {
        var package = Path.Combine(folder, "node_modules", "@nats-io", "transport-node", "package.json");
        if (!File.Exists(package))
            return null;

        using var fields = JsonDocument.Parse(File.ReadAllBytes(package));
        return new(Node, ["node", Path.Combine(AppContext.BaseDirectory, "Clients", "nats.mjs"), Path.GetFullPath(folder)])
        {
            Version = fields.RootElement.GetProperty("version").GetString() ?? "",
        };
    }
}
