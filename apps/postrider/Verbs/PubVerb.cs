using System.CommandLine;
using System.Text;
using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider pub</c>.</summary>
internal sealed class PubVerb
{
    private readonly ServerOptions _server = new();
    private readonly Argument<string> _subject = SubjectArgument.Template("Where to");
    private readonly Argument<string?> _payload = new("payload") { Description = "The text; read from standard input when omitted", Arity = ArgumentArity.ZeroOrOne };
    private readonly Option<string?> _reply = new("--reply") { Description = "Subject for replies" };
    private readonly Option<int> _count = new Option<int>("--count", "-c") { Description = "How often", DefaultValueFactory = _ => 1 }.AtLeast(1);
    private readonly Option<TimeSpan?> _sleep = JetStreamVerb.Pause("--sleep", "Time between two messages");
    private readonly Option<bool> _lines = new("--lines") { Description = "Send each line of standard input as a message" };
    private readonly Option<bool> _jetStream = new("--jetstream", "-J") { Description = "Wait for the acknowledgment of a stream" };
    private readonly Option<bool> _atomic = new("--atomic") { Description = "Store all messages or none; implies --jetstream" };
    private readonly Option<string?> _id = new("--msg-id") { Description = "The message's id, with which a stream detects a duplicate; implies --jetstream" };
    private readonly Option<string[]> _headers = MessageText.HeaderOption();
    private readonly Option<bool> _plain = MessageTemplate.Off();

    internal static Command Create()
    {
        var pub = new PubVerb();
        var verb = ClientVerb.Create("pub", $$$"""
            Publish a message. Subject, payload and headers may have functions: {{{MessageTemplate.Functions}}}.
              postrider pub orders.new '{"id":7}' -H Source:shop
              postrider pub orders.new '{"id":{{Count}},"at":"{{TimeStamp}}"}' --count 10 --sleep 1s
              cat orders.jsonl | postrider pub orders.new --lines --jetstream
            """, pub._server, pub.RunAsync);
        verb.Arguments.Add(pub._subject);
        verb.Arguments.Add(pub._payload);
        foreach (var option in (Option[])[pub._reply, pub._count, pub._sleep, pub._lines, pub._jetStream, pub._atomic, pub._id, pub._headers, pub._plain]) verb.Options.Add(option);
        verb.Validators.Add(result =>
        {
            if (result.GetValue(pub._lines) && result.GetResult(pub._payload) is { Tokens.Count: > 0 }) result.AddError("--lines reads the payloads from standard input: leave the payload out.");
            if (result.GetValue(pub._lines) && JetStreamVerb.IsGiven(result, pub._count)) result.AddError("--lines and --count cannot be used together.");
            if (result.GetValue(pub._reply) is not null && (result.GetValue(pub._jetStream) || result.GetValue(pub._atomic))) result.AddError("--reply cannot be used with --jetstream: a stream answers there.");
        });
        return verb;
    }

    private async Task<int> RunAsync(ParseResult result, CancellationToken ct)
    {
        var template = new MessageTemplate(!result.GetValue(_plain), TimeProvider.System, Random.Shared);
        var whole = result.GetValue(_lines) ? null : await MessageText.PayloadAsync(result.GetValue(_payload), ct);
        await using var client = await _server.ConnectAsync(result, "pub", ct);
        client.WriteNotices();
        var rejected = new RejectedPublishes(client);
        var streams = client.CreateJetStreamContext(_server.JetStream(result));
        var batch = result.GetValue(_atomic) ? streams.CreateBatch() : null;
        var toStream = batch is not null || result.GetValue(_jetStream) || result.GetValue(_id) is not null;
        var (messages, bytes, size) = (0L, 0L, 0);
        (string Subject, byte[] Data, NatsHeaders? Headers)? held = null;
        await foreach (var payload in PayloadsAsync(whole, result, ct))
        {
            if (messages > 0 && result.GetValue(_sleep) is { } pause) await Task.Delay(pause, ct);
            messages++;
            var to = template.Expand(result.GetValue(_subject)!, messages);
            // Binary data has no functions; text without a function is sent unchanged.
            var data = result.GetValue(_payload) is not null || result.GetValue(_lines) ? Encoding.UTF8.GetBytes(template.Expand(Encoding.UTF8.GetString(payload), messages)) : payload;
            var headers = template.Headers(result.GetValue(_headers), messages);
            (bytes, size) = (bytes + data.Length, data.Length);
            if (batch is not null)
            {
                // The last one commits.
                if (held is { } before) await batch.AddAsync(before.Subject, before.Data, headers: before.Headers, ct: ct);
                held = (to, data, headers);
            }
            else if (toStream)
            {
                var options = result.GetValue(_id) is { } id ? new PublishOptions { MessageId = template.Expand(id, messages) } : null;
                await ReportAsync(result, await streams.PublishAsync(to, data, options, headers, ct: ct));
            }
            else
            {
                await client.PublishAsync(to, data, result.GetValue(_reply), headers, ct: ct);
            }
        }
        if (batch is not null && held is { } last) await ReportAsync(result, await batch.CommitAsync(last.Subject, last.Data, headers: last.Headers, ct: ct));
        if (toStream) return ClientVerb.Success;
        await rejected.FlushAsync(client, messages, _server.Timeout(result), ct);
        var same = bytes == messages * size;
        await Console.Out.WriteLineAsync(_server.Json(result)
            ? $$"""{"subject":{{JsonText.Quote(result.GetValue(_subject)!)}},"messages":{{messages}},"bytes":{{(same ? size : bytes)}}}"""
            : same ? $"Published {messages} × {Quantity.Of(size, "byte")} to {result.GetValue(_subject)}" : $"Published {Quantity.Of(messages, "message")} with {Quantity.Of(bytes, "byte")} to {result.GetValue(_subject)}");
        return ClientVerb.Success;
    }

    private Task ReportAsync(ParseResult result, PublishAck ack) => Console.Out.WriteLineAsync(_server.Json(result)
        ? JsonText.Object(("stream", ack.Stream), ("seq", ack.Sequence), ("duplicate", ack.IsDuplicate))
        : $"Stored in stream {ack.Stream} as message {ack.Sequence}{(ack.IsDuplicate ? ", a duplicate" : "")}");

    private async IAsyncEnumerable<byte[]> PayloadsAsync(byte[]? whole, ParseResult result, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        if (whole is null)
        {
            using var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
            while (await input.ReadLineAsync(ct) is { } line) yield return Encoding.UTF8.GetBytes(line);
            yield break;
        }
        for (var i = 0; i < result.GetValue(_count); i++) yield return whole;
    }
}
