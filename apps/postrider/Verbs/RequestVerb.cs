using System.CommandLine;
using Postrider.Client;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider request</c>.</summary>
internal static class RequestVerb
{
    // A header of the services protocol.
    private const string ServiceError = "Nats-Service-Error-Code";

    internal static Command Create()
    {
        var server = new ServerOptions();
        var subject = SubjectArgument.Literal("The subject of the request");
        var payload = new Argument<string?>("payload") { Description = "The text; read from standard input when omitted", Arity = ArgumentArity.ZeroOrOne };
        var replies = new Option<int>("--replies") { Description = "Number of replies to wait for; 0 for all until the timeout", DefaultValueFactory = _ => 1 }.AtLeast(0);
        var headers = MessageText.HeaderOption();
        var raw = new Option<bool>("--raw") { Description = "Print only payloads" };
        var plain = MessageTemplate.Off();
        var verb = ClientVerb.Create("request", $$$"""
            Send a request and show the reply. Exits with 1 if there is no reply, or a service replies with an error. The payload and headers may have functions: {{{MessageTemplate.Functions}}}.
              postrider request orders.place '{"item":"tea"}' --timeout 2s
              postrider request discovery --replies 0 --json
            """, server, RunAsync);
        verb.Arguments.Add(subject);
        verb.Arguments.Add(payload);
        verb.Options.Add(replies);
        verb.Options.Add(headers);
        verb.Options.Add(raw);
        verb.Options.Add(plain);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var data = await MessageText.PayloadAsync(result.GetValue(payload), ct);
            var to = result.GetValue(subject)!;
            var template = new MessageTemplate(!result.GetValue(plain), TimeProvider.System, Random.Shared);
            if (result.GetValue(payload) is { } text) data = System.Text.Encoding.UTF8.GetBytes(template.Expand(text, 1));
            var with = template.Headers(result.GetValue(headers), 1);
            await using var client = await server.ConnectAsync(result, "request", ct);
            if (result.GetValue(replies) == 1)
            {
                var answer = await client.RequestAsync<byte[], byte[]>(to, data, headers: with, ct: ct);
                await SubVerb.WriteAsync(answer, result.GetValue(raw), server.Json(result), ct);
                return answer.Headers?[ServiceError] is null ? ClientVerb.Success : ClientVerb.Failure;
            }
            var many = new RequestManyOptions { MaxReplies = result.GetValue(replies), Timeout = server.Timeout(result) };
            var answered = false;
            await foreach (var answer in client.RequestManyAsync<byte[], byte[]>(to, data, many, with, ct: ct))
            {
                answered = true;
                await SubVerb.WriteAsync(answer, result.GetValue(raw), server.Json(result), ct);
            }
            return answered ? ClientVerb.Success : ClientVerb.Failure;
        }
    }
}
