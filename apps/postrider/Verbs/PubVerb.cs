using System.CommandLine;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider pub</c>.</summary>
internal static class PubVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        var subject = SubjectArgument.Literal("Where to");
        var payload = new Argument<string?>("payload") { Description = "The text; read from standard input when omitted", Arity = ArgumentArity.ZeroOrOne };
        var reply = new Option<string?>("--reply") { Description = "Subject for replies" };
        var count = new Option<int>("--count", "-c") { Description = "How often", DefaultValueFactory = _ => 1 }.AtLeast(1);
        var headers = MessageText.HeaderOption();
        var verb = ClientVerb.Create("pub", """
            Publish a message.
              postrider pub orders.new '{"id":7}' -H Source:shop
              cat order.json | postrider pub orders.new
            """, server, RunAsync);
        verb.Arguments.Add(subject);
        verb.Arguments.Add(payload);
        verb.Options.Add(reply);
        verb.Options.Add(count);
        verb.Options.Add(headers);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var data = await MessageText.PayloadAsync(result.GetValue(payload), ct);
            var times = result.GetValue(count);
            var to = result.GetValue(subject)!;
            await using var client = await server.ConnectAsync(result, "pub", ct);
            for (var i = 0; i < times; i++)
                await client.PublishAsync(to, data, result.GetValue(reply), MessageText.Headers(result.GetValue(headers)), ct: ct);
            // The server's reply to a PING means that it has received everything.
            await client.FlushAsync(ct).WaitAsync(server.Timeout(result), ct);
            await Console.Out.WriteLineAsync(server.Json(result)
                ? $$"""{"subject":{{JsonText.Quote(to)}},"messages":{{times}},"bytes":{{data.Length}}}"""
                : $"Published {times} × {Quantity.Of(data.Length, "byte")} to {to}");
            return ClientVerb.Success;
        }
    }
}
