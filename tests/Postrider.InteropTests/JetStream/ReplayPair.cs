using System.Globalization;
using System.Text.Json.Nodes;
using Postrider.Client;

namespace Postrider.InteropTests.JetStream;

/// <summary>A client of Go's server and one of ours: both ask the same, and the answers are compared.</summary>
internal sealed class ReplayPair(NatsClient reference, NatsClient ours) : IAsyncDisposable
{
    private const int StoryLines = 300;
    private const int StoryWidth = 300;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // What may differ: moments, and what only one of the two has.
    private static readonly HashSet<string> Free = ["ts", "created", "first_ts", "last_ts", "last_active", "time", "pause_remaining", "cluster", "domain"];

    // What was said so far, for whoever has to find out why the two differ.
    private readonly List<string> _story = [];

    /// <summary>The seed of a story: always the same one, so that whoever's change makes the servers differ is told, and nobody else;
    /// another one for whoever looks for differences, from the environment.</summary>
    public static int Seed(int chosen)
        => Environment.GetEnvironmentVariable("POSTRIDER_REPLAY_SEED") is { Length: > 0 } wish ? int.Parse(wish, CultureInfo.InvariantCulture) + chosen : chosen;

    /// <summary>Asks both the same and expects the same answer.</summary>
    public Task CompareAsync(string where, string subject, string payload = "", NatsHeaders? headers = null)
        => CompareAsync(where, (subject, subject), payload, headers);

    /// <summary>Asks both the same, each by its own subject, and expects the same answer.</summary>
    public async Task CompareAsync(string where, (string Reference, string Ours) subjects, string payload, NatsHeaders? headers = null)
    {
        var expected = await AskAsync(reference, subjects.Reference, payload, headers);
        var actual = await AskAsync(ours, subjects.Ours, payload, headers);
        var asked = $"{subjects.Ours} {string.Join(' ', headers?.Select(static pair => $"{pair.Key}={pair.Value}") ?? [])} {payload}";
        Assert.True(expected == actual, $"{Story()}{where}: {asked}\nGo:   {expected}\nours: {actual}");
        _story.Add($"{asked} -> {expected}");
    }

    /// <summary>Asks both for something that neither refuses; what else they answer may depend on how far they have come with it.</summary>
    /// <param name="subject">The subject of the request.</param>
    /// <param name="payload">The request.</param>
    public async Task DoAsync(string subject, string payload)
    {
        foreach (var server in new[] { reference, ours })
        {
            var answer = await AskAsync(server, subject, payload, null);
            Assert.DoesNotContain("\"error\"", answer, StringComparison.Ordinal);
        }
        _story.Add($"{subject} {payload}");
    }

    /// <summary>Asks both the same question, which changes nothing, until they answer alike: Go's server counts a message as pending for
    /// its consumers some time after it has acknowledged it.</summary>
    /// <param name="where">Said when they never agree.</param>
    /// <param name="subject">The subject of the question.</param>
    /// <param name="payload">The question.</param>
    /// <param name="member">The member of the answer that is compared; null for all.</param>
    public async Task AgreeAsync(string where, string subject, string payload = "", string? member = null)
    {
        var (expected, actual) = ("", "");
        try
        {
            await Eventually.HoldsAsync(async () =>
            {
                expected = Part(await AskAsync(reference, subject, payload, null), member);
                actual = Part(await AskAsync(ours, subject, payload, null), member);
                return expected == actual;
            }, Patience);
        }
        catch (TimeoutException)
        {
            Assert.Fail($"{Story()}{where}: {subject} {payload}\nGo:   {expected}\nours: {actual}");
        }
        _story.Add($"{subject} {payload} -> {expected}");
    }

    /// <summary>Has both deliver what a pull gets at once, and expects the same messages and the same end.</summary>
    /// <param name="where">Said when they differ.</param>
    /// <param name="subject">The subject of the pull.</param>
    /// <param name="pull">The pull; it does not wait.</param>
    /// <param name="batch">Messages it asks for.</param>
    /// <returns>The subjects that acknowledge the messages, in their order: Go's and ours.</returns>
    public async Task<List<(string Reference, string Ours)>> PullAsync(string where, string subject, string pull, int batch)
    {
        var expected = await ReadAsync(reference, subject, pull, batch);
        var actual = await ReadAsync(ours, subject, pull, batch);
        Assert.True(
            expected.Shown.SequenceEqual(actual.Shown),
            $"{Story()}{where}: {subject} {pull}\nGo:   {string.Join("\n      ", expected.Shown)}\nours: {string.Join("\n      ", actual.Shown)}");
        _story.Add($"{subject} {pull} -> {string.Join("; ", expected.Shown)}");
        return [.. expected.Replies.Zip(actual.Replies)];
    }

    public async ValueTask DisposeAsync()
    {
        await reference.DisposeAsync();
        await ours.DisposeAsync();
    }

    private string Story() => string.Concat(_story.TakeLast(StoryLines).Select(static line => (line.Length > StoryWidth ? line[..StoryWidth] : line) + "\n"));

    private static async Task<string> AskAsync(NatsClient client, string subject, string payload, NatsHeaders? headers)
    {
        try
        {
            var answer = await client.RequestAsync<string, string>(subject, payload, Patience, headers);
            if (!answer.Data.StartsWith('{')) return $"'{answer.Data}'";
            var json = JsonNode.Parse(answer.Data)!;
            return Stripped(json).ToJsonString();
        }
        catch (NatsNoRespondersException)
        {
            return "nobody listens";
        }
        catch (NatsClientException error) when (error.Code == NatsErrorCode.RequestTimeout)
        {
            return "no answer";
        }
    }

    private static string Part(string answer, string? member) => member is null ? answer : JsonNode.Parse(answer)![member]?.ToJsonString() ?? answer;

    private static async Task<(List<string> Shown, List<string> Replies)> ReadAsync(NatsClient client, string subject, string pull, int batch)
    {
        using var patience = new CancellationTokenSource(Patience);
        var (shown, replies) = (new List<string>(), new List<string>());
        var inbox = client.NewInbox();
        await using var subscription = client.Subscribe<string>(inbox);
        await client.PublishAsync(subject, pull, inbox, ct: patience.Token);
        await foreach (var message in subscription.WithCancellation(patience.Token))
        {
            if (message.ReplyTo is not { } reply)
            {
                shown.Add($"{message.Headers?.Status} {message.Headers?.StatusText}");
                break;
            }
            replies.Add(reply);
            shown.Add($"{message.Subject} {Numbers(reply)} {message.Headers?.Count ?? 0} '{message.Data}'");
            if (replies.Count == batch) break;
        }
        return (shown, replies);
    }

    // Stream, consumer, deliveries, both sequences and what is pending; between the last two is a moment.
    private static string Numbers(string reply)
    {
        var tokens = reply.Split('.');
        return string.Join('.', tokens[..^2].Append(tokens[^1]));
    }

    // Members in one order: servers may list them as they like.
    private static JsonNode Stripped(JsonNode node)
        => node switch
        {
            JsonObject members => new JsonObject(members
                .Where(static member => !Free.Contains(member.Key))
                .OrderBy(static member => member.Key, StringComparer.Ordinal)
                .Select(static member => KeyValuePair.Create(member.Key, member.Value is null ? null : Stripped(member.Value)))),
            JsonArray items => new JsonArray([.. items.Select(static item => item is null ? null : Stripped(item))]),
            _ => node.DeepClone(),
        };
}
