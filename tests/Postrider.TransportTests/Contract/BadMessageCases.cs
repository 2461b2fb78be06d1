using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Case 81: messages that nobody should send, before a good one.</summary>
public abstract class BadMessageCases(TransportHarness harness) : MigrationCases(harness)
{
    private const string Last = "last";

    private static readonly string s_long = new('x', 5000);

    // No message of the type: a dead letter, at once.
    private static readonly (string Name, byte[] Body)[] s_bodies =
    [
        ("empty", []),
        ("null", "null"u8.ToArray()),
        ("array", "[]"u8.ToArray()),
        ("cut", "{\"Text\":\"a"u8.ToArray()),
        ("number", "{\"Text\":1}"u8.ToArray()),
        ("two", "{\"Text\":\"a\"} {\"Text\":\"b\"}"u8.ToArray()),
        ("deep", Encoding.UTF8.GetBytes(new string('[', 5000))),
        ("blank", Encoding.UTF8.GetBytes(new string(' ', 50_000))),
        ("no-utf8", [.. "{\"Text\":\""u8, 0xff, 0xfe, .. "\"}"u8]),
        ("surrogate", "{\"Text\":\"\\ud800\"}"u8.ToArray()),
        ("byte-order-mark", [0xef, 0xbb, 0xbf, .. "{\"Text\":\"a\"}"u8]),
        ("zeros", new byte[100]),
        ("text", "hello"u8.ToArray()),
        ("xml", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"u8.ToArray()),
    ];

    // Nothing that a handler needs: it is handled, unless the transport cannot carry the value and refuses it.
    private static readonly (string Name, MessageProperties Properties)[] s_properties =
    [
        ("type-dots", new() { Type = ".." }),
        ("type-other", new() { Type = "System.Diagnostics.Process" }),
        ("type-empty", new() { Type = "" }),
        ("type-long", new() { Type = s_long }),
        ("key-empty", new() { Key = "" }),
        ("key-long", new() { Key = s_long }),
        ("trace-text", new() { TraceParent = "00-zz" }),
        ("trace-zeros", new() { TraceParent = "00-00000000000000000000000000000000-0000000000000000-00" }),
        ("trace-long", new() { TraceParent = s_long, TraceState = s_long }),
        ("correlation-long", new() { CorrelationId = s_long }),
        ("correlation-odd", new() { CorrelationId = "a:b, c=\"d\" ☃" }),
        ("causation-empty", new() { CausationId = "" }),
        ("idempotency-long", new() { IdempotencyKey = s_long }),
        ("deadline-far", new() { Deadline = DateTimeOffset.MaxValue }),
        ("expiry-far", new() { ExpiresAt = DateTimeOffset.MaxValue }),
        ("deadline-text", Header(HeaderNames.Deadline, "yesterday")),
        ("expiry-text", Header(HeaderNames.ExpiresAt, "never")),
        ("expiry-other", Header(HeaderNames.ExpiresAt, "Fri, 27 Nov 2026 12:00:00 GMT")),
        ("error", Header(HeaderNames.Error, "boom")),
        ("error-code", Header(HeaderNames.ErrorCode, "NoSuchCode")),
        ("letter-reason", Header(DeadLetterHeaders.Reason, "Exhausted")),
        ("letter-unknown", Header(DeadLetterHeaders.Reason, "Because")),
        ("letter-negative", Header(DeadLetterHeaders.Deliveries, "-5")),
        ("letter-huge", Header(DeadLetterHeaders.Deliveries, "99999999999999999999")),
        ("letter-sequence", Header(DeadLetterHeaders.Sequence, "x")),
        ("letter-redriven", Header(DeadLetterHeaders.Redriven, "x")),
        ("letter-stream", Header(DeadLetterHeaders.Stream, "..")),
        ("many", new() { Headers = Many(60) }),
        ("long-value", Header("Long", new string('v', 8000))),
    ];

    [Fact]
    public async Task Case_81_bad_message_is_handled_or_refused_or_a_dead_letter_and_holds_nothing_up()
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        var handled = new ConcurrentDictionary<string, bool>(StringComparer.Ordinal);
        var letters = new ConcurrentDictionary<string, string?>(StringComparer.Ordinal);
        await using var listening = await Transport.ListenAsync(
            Harness.Binding(dead),
            (letter, _) =>
            {
                letters[letter.Headers[HeaderNames.MessageId]!] = letter.Headers[DeadLetterHeaders.Reason];
                return default;
            },
            Ct);
        using var host = Build(
            options => options.ReplaceCommand<AbilityWork>((work, _) =>
            {
                handled[work.Text] = true;
                return default;
            }),
            transport => transport.Command<AbilityWork>(Harness.Binding(destination) with { DeadLetter = dead, MaxConcurrency = 4, Retry = TransportHarness.Quick }));
        await host.StartAsync(Ct);
        var sender = Transport.OpenSender(destination);
        var refused = new Dictionary<string, Exception>(StringComparer.Ordinal);

        foreach (var (name, body) in s_bodies)
            await TrySendAsync(new() { MessageId = name, ContentType = "application/json" }, body);
        foreach (var (name, properties) in s_properties)
            await TrySendAsync(properties with { MessageId = name, ContentType = "application/json" }, Json(name));
        await TrySendAsync(new() { MessageId = Last, ContentType = "application/json" }, Json(Last));
        await Eventually.EmptyAsync(() => s_bodies.Select(static row => row.Name).Where(name => !letters.ContainsKey(name) && !Told(name))
            .Concat(s_properties.Select(static row => row.Name).Where(name => !handled.ContainsKey(name) && !refused.ContainsKey(name)))
            .Concat(handled.ContainsKey(Last) ? [] : [Last]));

        await host.StopAsync(Ct);
        Assert.All(letters, static letter => Assert.Equal("Unreadable", letter.Value));
        Assert.Empty(letters.Keys.Intersect(handled.Keys));
        if (!Harness.SendersWait) Assert.Empty(refused.Keys.Intersect(handled.Keys));
        Assert.All(refused.Values, static error => Assert.True(error is PostriderException or ArgumentException, $"{error}"));

        async Task TrySendAsync(MessageProperties properties, byte[] body)
        {
            try
            {
                await sender.SendAsync(properties, body, Ct);
            }
            catch (Exception error)
            {
                refused[properties.MessageId!] = error;
            }
        }

        // A sender that waits for the handler is told, whether or not there is a dead letter.
        bool Told(string name) => Harness.SendersWait && refused.ContainsKey(name);
    }

    private static byte[] Json(string text) => Encoding.UTF8.GetBytes($"{{\"Text\":\"{text}\"}}");

    private static MessageProperties Header(string name, string value) => new() { Headers = new Headers { { name, value } } };

    private static Headers Many(int count)
    {
        var headers = new Headers();
        for (var i = 0; i < count; i++) headers.Add($"Many-{i}", "");
        return headers;
    }
}
