using System.CommandLine;
using System.Text.Json;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary>A verb that sends requests to the servers through the system account.</summary>
internal static class SystemVerb
{
    /// <summary>Creates a verb.</summary>
    /// <param name="name">The verb's name.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="run">Does it.</param>
    /// <param name="symbols">Its arguments and options, in the order of the help.</param>
    internal static Command Create(string name, string description, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
        => Create(name, description, run, ClientVerb.Interrupted, symbols);

    /// <summary>Creates a verb that Ctrl+C ends.</summary>
    internal static Command CreateEndless(string name, string description, Func<Call, CancellationToken, Task> run, params Symbol[] symbols)
        => Create(name, description, run, ClientVerb.Success, symbols);

    /// <summary>The reply of the server of a name; without one, the first.</summary>
    /// <exception cref="NatsClientException">No server has the name.</exception>
    internal static JsonElement Choose(List<JsonElement> servers, string? name)
        => name is null ? servers[0] : servers.FirstOrDefault(server => server.At("server").Text("name") == name) is { ValueKind: JsonValueKind.Object } found
            ? found
            : throw new NatsClientException(NatsErrorCode.NotFound, $"No server is called '{name}'. Servers: {string.Join(", ", servers.Select(static server => server.At("server").Text("name")))}.");

    private static Command Create(string name, string description, Func<Call, CancellationToken, Task> run, int interrupted, Symbol[] symbols)
    {
        var (server, expect) = (new ServerOptions(), SystemRequests.Expect());
        var verb = ClientVerb.CreateConnected(name, description, server, RunAsync, interrupted);
        verb.AddAll(symbols);
        verb.Options.Add(expect);
        return verb;

        Task RunAsync(ParseResult result, NatsClient client, CancellationToken ct)
            => run(new Call(result, client, new SystemRequests(client, server.Timeout(result), result.GetValue(expect)), server.Json(result)), ct);
    }

    /// <summary>One run of a verb.</summary>
    internal sealed record Call(ParseResult Result, NatsClient Client, SystemRequests Requests, bool Json)
    {
        internal T? Get<T>(Option<T> option) => Result.GetValue(option);

        internal T Get<T>(Argument<T> argument) => Result.GetValue(argument)!;

        /// <summary>Writes a table for people, or a line of JSON for each item.</summary>
        internal async Task WriteAllAsync(IEnumerable<JsonElement> items, TextTable table, Action<TextTable, JsonElement> add)
        {
            foreach (var item in items)
            {
                if (Json) await Console.Out.WriteLineAsync(JsonText.Line(item));
                else add(table, item);
            }
            if (!table.IsEmpty) await Console.Out.WriteLineAsync(table.ToString());
        }
    }
}
