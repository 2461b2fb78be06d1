using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Threading.Channels;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider events</c>: events that servers and JetStream publish.</summary>
internal static class EventsVerb
{
    private static readonly string[] s_details = ["stream", "consumer", "action", "stream_seq", "deliveries", "domain"];

    private static readonly string[] s_connections = ["$SYS.ACCOUNT.*.CONNECT", "$SYS.ACCOUNT.*.DISCONNECT", "$SYS.SERVER.*.CLIENT.AUTH.ERR"];

    internal static Command Create()
    {
        var server = new ServerOptions();
        var connections = new Option<bool>("--connections") { Description = "Only connects, disconnects and rejected logins; the user must belong to the system account" };
        var advisories = new Option<bool>("--advisories") { Description = "Only JetStream's advisories and metrics" };
        var subjects = JetStreamVerb.Words("--subjects", "Other subjects to listen to").Subjects();
        var count = new Option<long>("--count", "-c") { Description = "Stop after this many events" }.AtLeast(1);
        var verb = ClientVerb.Create("events", """
            Show events until Ctrl+C: connections in the system account, JetStream's advisories in other accounts.
              postrider events --connections --context system
              postrider events --advisories --json
            """, server, RunAsync, ClientVerb.Success);
        foreach (var option in (Option[])[connections, advisories, subjects, count]) verb.Options.Add(option);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "events", ct);
            client.WriteNotices();
            var all = !result.GetValue(connections) && !result.GetValue(advisories);
            string[] chosen =
            [
                .. all || result.GetValue(connections) ? s_connections : [],
                .. all || result.GetValue(advisories) ? ["$JS.EVENT.>"] : Array.Empty<string>(),
                .. JetStreamVerb.Given(result, subjects) ?? [],
            ];
            var events = Channel.CreateUnbounded<NatsMessage<byte[]>>();
            client.EventOccurred += happened =>
            {
                if (happened is { Kind: ClientEventKind.Closed, Error: { } reason }) events.Writer.TryComplete(reason);
            };
            foreach (var subject in chosen)
                client.Subscribe<byte[]>(subject, (message, _) => { events.Writer.TryWrite(message); return ValueTask.CompletedTask; });
            await client.FlushAsync(ct);
            await Console.Error.WriteLineAsync($"Listening to {string.Join(", ", chosen)}");
            var left = result.GetValue(count);
            await foreach (var message in events.Reader.ReadAllAsync(ct))
            {
                await Console.Out.WriteLineAsync(server.Json(result) ? Line(message) : Readable(message));
                if (--left == 0) break;
            }
            return ClientVerb.Success;
        }
    }

    private static string Line(NatsMessage<byte[]> message) => Parse(message) is { } content
        ? JsonText.Object(("subject", message.Subject), ("event", content))
        : JsonText.Object(("subject", message.Subject), ("event", Convert.ToBase64String(message.Data)));

    private static string Readable(NatsMessage<byte[]> message)
    {
        if (Parse(message) is not { } content) return $"{message.Subject}: {Quantity.Of(message.Data.Length, "byte")}";
        var time = (content.Time("timestamp") ?? content.Time("server", "time"))?.UtcDateTime.ToString("HH:mm:ss", CultureInfo.InvariantCulture) ?? "--:--:--";
        return $"{time} {Describe(message.Subject, content)}";
    }

    private static string Describe(string subject, JsonElement content)
    {
        if (content.At("client") is { ValueKind: JsonValueKind.Object } client && subject.StartsWith("$SYS.", StringComparison.Ordinal))
        {
            var (who, what) = ($"client {client.Number("id")} \"{client.Text("name")}\" of account {client.Text("acc")} from {client.Text("host")}", subject[(subject.LastIndexOf('.') + 1)..]);
            return what switch
            {
                "CONNECT" => $"Connected: {who}",
                "DISCONNECT" => $"Disconnected: {who}: {content.Text("reason")}",
                _ => $"Refused: {who}: {content.Text("reason")}",
            };
        }
        var words = subject.Split('.');
        string[] details = [.. s_details.Where(name => content.TryGetProperty(name, out _)).Select(name => $"{name} {content.At(name)}")];
        return words is ["$JS", "EVENT", var kind, ..]
            ? $"{(kind == "METRIC" ? "Metric" : "Advisory")} {string.Join(' ', words.Skip(3).Take(2))}: {string.Join(", ", details)}"
            : $"{subject}: {content}";
    }

    private static JsonElement? Parse(NatsMessage<byte[]> message)
    {
        try
        {
            return JsonDocument.Parse(message.Data).RootElement;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
