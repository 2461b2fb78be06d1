using System.CommandLine;
using System.Text;
using Postrider.Client;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider reply</c>.</summary>
internal static class ReplyVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        var subject = SubjectArgument.Pattern("The subject; * and > are wildcards");
        var text = new Argument<string?>("text") { Description = "The reply; the request is echoed when omitted", Arity = ArgumentArity.ZeroOrOne };
        var queue = new Option<string?>("--queue", "-q") { Description = "Queue group: each request goes to one member" };
        var count = new Option<long>("--count", "-c") { Description = "Stop after this many replies" }.AtLeast(1);
        var headers = MessageText.HeaderOption();
        var plain = MessageTemplate.Off();
        var verb = ClientVerb.Create("reply", $$$"""
            Reply to requests until Ctrl+C. The reply and headers may have functions: Request, {{{MessageTemplate.Functions}}}.
              postrider reply echo
              postrider reply health ok --queue probes -H Served-By:one
              postrider reply 'greet.*' 'Hello {{Request}}, you are number {{Count}}'
            """, server, RunAsync, ClientVerb.Success);
        verb.Arguments.Add(subject);
        verb.Arguments.Add(text);
        verb.Options.Add(queue);
        verb.Options.Add(count);
        verb.Options.Add(headers);
        verb.Options.Add(plain);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var template = new MessageTemplate(!result.GetValue(plain), TimeProvider.System, Random.Shared);
            var answered = 0L;
            await using var client = await server.ConnectAsync(result, "reply", ct);
            client.WriteNotices();
            var options = new SubscriptionOptions { MaxMessages = result.GetValue(count) };
            await using var subscription = client.Subscribe<byte[]>(result.GetValue(subject)!, result.GetValue(queue), options);
            await client.FlushAsync(ct);
            await Console.Error.WriteLineAsync($"Replying to {subscription.Subject} at {client.ConnectedServer}");
            await foreach (var message in subscription.WithCancellation(ct))
            {
                answered++;
                var answer = result.GetValue(text) is { } pattern ? Encoding.UTF8.GetBytes(template.Expand(pattern, answered, Encoding.UTF8.GetString(message.Data))) : message.Data;
                if (message.ExpectsReply)
                    await message.ReplyAsync(answer, template.Headers(result.GetValue(headers), answered), ct: ct);
                await Console.Out.WriteLineAsync(server.Json(result) ? MessageText.Json(message) : MessageText.Readable(message));
            }
            await client.FlushAsync(ct);
            return ClientVerb.Success;
        }
    }
}
