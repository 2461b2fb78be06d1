using System.Text.Json;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Serves the dead letters of a process over NATS, as JSON.</summary>
public static class DeadLetterServiceExtensions
{
    private const int MaxPage = 1_000;
    private const int DefaultPage = 100;
    // Half of the usual max_payload: names and quotes make JSON larger than its content.
    private const int MaxPageBytes = 512 * 1024;

    /// <summary>Adds a NATS service with the endpoints <c>sources</c>, <c>list</c>, <c>show</c>, <c>redrive</c> and <c>purge</c> below
    /// <c>postrider.deadletters</c>.</summary>
    /// <param name="client">A connected client; its server's permissions define who may send requests.</param>
    /// <param name="transports">The transports whose dead letters are served, by the names that requests use; any kind of
    /// transport.</param>
    /// <param name="name">The name of the service.</param>
    /// <param name="sources">The destinations that <c>sources</c> names, for those who look for dead letters; null for none. Requests may name
    /// any destination of a transport. Those of transports that are not served are omitted.</param>
    /// <returns>The service; disposing it ends it.</returns>
    /// <remarks>
    /// Requests and replies are JSON: <c>{"transport":"parcels","source":"orders.dead","reason":"Final","max":100}</c>, with <c>id</c>,
    /// <c>origin</c>, <c>after</c> and <c>pace_ms</c> in addition. A list has at most 1,000 entries or 512 KiB and contains where the next one
    /// starts; bodies are in the reply of <c>show</c>. An invalid request gets code 400, one for something that does not exist gets
    /// 404. <c>sources</c> takes no parameters. <c>redrive</c> and <c>purge</c> require an id, a reason, an origin or <c>"all":true</c>. Source: docs/guide/dead-letters.md,
    /// NATS ADR-32.
    /// </remarks>
    public static NatsService AddDeadLetterService(this NatsClient client, IReadOnlyDictionary<string, ITransport> transports, string name = "postrider-dead-letters", IEnumerable<DeadLetterSource>? sources = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(transports);
        var service = client.AddService(new ServiceOptions { Name = name, Version = "1.0.0", Description = "Dead letters of Postrider's listeners" });
        var group = service.AddGroup("postrider.deadletters");
        var known = new DeadLetterSources { Sources = [.. (sources ?? []).Where(source => transports.ContainsKey(source.Transport)).Distinct()] };
        group.AddEndpoint<byte[], byte[]>("sources", (_, _) => new(JsonSerializer.SerializeToUtf8Bytes(known, DeadLetterJson.Default.DeadLetterSources)));
        group.AddEndpoint<byte[], byte[]>("list", (message, ct) => AnswerAsync(transports, message, ListAsync, ct));
        group.AddEndpoint<byte[], byte[]>("show", (message, ct) => AnswerAsync(transports, message, ShowAsync, ct));
        group.AddEndpoint<byte[], byte[]>("redrive", (message, ct) => AnswerAsync(transports, message, static (letters, request, ct) => ChangeAsync(request, letters.RedriveAsync, ct), ct));
        group.AddEndpoint<byte[], byte[]>("purge", (message, ct) => AnswerAsync(transports, message, static (letters, request, ct) => ChangeAsync(request, letters.PurgeAsync, ct), ct));
        return service;
    }

    private static async ValueTask<byte[]> AnswerAsync(
        IReadOnlyDictionary<string, ITransport> transports, NatsMessage<byte[]> message, Func<IDeadLetters, DeadLetterRequest, CancellationToken, ValueTask<byte[]>> answer, CancellationToken ct)
    {
        try
        {
            var request = JsonSerializer.Deserialize(message.Data, DeadLetterJson.Default.DeadLetterRequest) ?? throw new JsonException("The request is null.");
            if (request.Transport is null || !transports.TryGetValue(request.Transport, out var transport))
                throw new NatsServiceException(404, $"There is no transport '{request.Transport}'. Transports: {string.Join(", ", transports.Keys.Order(StringComparer.Ordinal))}.");
            if (string.IsNullOrEmpty(request.Source))
                throw new NatsServiceException(400, "The request has no 'source': the destination of the dead letters.");
            return await answer(transport.OpenDeadLetters(request.Source), request, ct).ConfigureAwait(false);
        }
        catch (JsonException unreadable)
        {
            throw new NatsServiceException(400, $"The request is not valid: {unreadable.Message}");
        }
        catch (PostriderException refused)
        {
            throw new NatsServiceException(refused.Error == PostriderError.NoListener ? 404 : 400, refused.Message);
        }
    }

    private static async ValueTask<byte[]> ListAsync(IDeadLetters letters, DeadLetterRequest request, CancellationToken ct)
    {
        if (request.Max is < 1 or > MaxPage)
            throw new NatsServiceException(400, $"'max' is {request.Max} and must be from 1 to {MaxPage}.");
        var max = request.Max ?? DefaultPage;
        var (page, bytes, isMore) = (new List<DeadLetterEntry>(), 0, false);
        // One more than requested indicates another page.
        await foreach (var letter in letters.ListAsync(request.Query() with { Max = max + 1 }, ct).ConfigureAwait(false))
        {
            var entry = DeadLetterEntry.Of(letter, withBody: false);
            bytes += JsonSerializer.SerializeToUtf8Bytes(entry, DeadLetterJson.Default.DeadLetterEntry).Length;
            isMore = page.Count > 0 && (page.Count == max || bytes > MaxPageBytes);
            if (isMore)
                break;
            page.Add(entry);
        }

        return JsonSerializer.SerializeToUtf8Bytes(new DeadLetterPage { Letters = page, Next = isMore ? page[^1].Id : null }, DeadLetterJson.Default.DeadLetterPage);
    }

    private static async ValueTask<byte[]> ShowAsync(IDeadLetters letters, DeadLetterRequest request, CancellationToken ct)
    {
        if (string.IsNullOrEmpty(request.Id))
            throw new NatsServiceException(400, "The request has no 'id'.");
        await foreach (var letter in letters.ListAsync(new() { Id = request.Id }, ct).ConfigureAwait(false))
            return JsonSerializer.SerializeToUtf8Bytes(DeadLetterEntry.Of(letter, withBody: true), DeadLetterJson.Default.DeadLetterEntry);
        throw new NatsServiceException(404, $"There is no dead letter '{request.Id}' at '{request.Source}'.");
    }

    private static async ValueTask<byte[]> ChangeAsync(DeadLetterRequest request, Func<DeadLetterQuery, CancellationToken, ValueTask<long>> change, CancellationToken ct)
    {
        if (request is { Id: null, Reason: null, Origin: null, All: not true })
            throw new NatsServiceException(400, "The request selects nothing: it needs 'id', 'reason', 'origin' or \"all\":true.");
        var query = request.Query();
        if (request.Max is { } max)
            query = max >= 1 ? query with { Max = max } : throw new NatsServiceException(400, $"'max' is {max} and must be at least 1.");
        return JsonSerializer.SerializeToUtf8Bytes(new DeadLetterCount { Count = await change(query, ct).ConfigureAwait(false) }, DeadLetterJson.Default.DeadLetterCount);
    }
}
