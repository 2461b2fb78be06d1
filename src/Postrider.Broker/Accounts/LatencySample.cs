using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.Accounts;

/// <summary>Measures the response to one request to another account's service, and publishes the measurement in that account.</summary>
/// <remarks>Thread-safe. Source: nats-server, latency of services.</remarks>
/// <param name="registry">All accounts.</param>
/// <param name="import">The import that the request came through; its service is measured.</param>
/// <param name="requester">The client that sent the request, or null for the broker.</param>
/// <param name="headers">The headers that requested the measurement; null when it was chosen at random.</param>
internal sealed class LatencySample(
    AccountRegistry registry, ServiceImport import, IPublishingClient? requester, IReadOnlyList<(string Name, string Value)>? headers)
{
    private const string IdLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private const int IdLength = 22;

    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly long _started = registry.Time.GetTimestamp();
    private readonly DateTimeOffset _startedAt = registry.Time.GetUtcNow();
    private int _isDone;

    /// <summary>The headers that requested the measurement; null when it was chosen at random.</summary>
    public IReadOnlyList<(string Name, string Value)>? Headers => headers;

    /// <summary>Begins to measure a request, if it is one of those that are measured.</summary>
    /// <returns>Null when it is not.</returns>
    public static LatencySample? Begin(AccountRegistry registry, ServiceImport import, IPublishingClient? requester, ReadOnlySpan<byte> headers, Random random)
    {
        if (import.Export.Latency is not { } latency) return null;
        requester = BrokerRequester.ClientOf(requester);
        if (latency.SamplingPercent >= 100 || (latency.SamplingPercent > 0 && random.Next(100) <= latency.SamplingPercent))
            return new LatencySample(registry, import, requester, null);
        return TraceHeaders.Find(headers) is { } asking ? new LatencySample(registry, import, requester, asking) : null;
    }

    /// <summary>Publishes how long the response took.</summary>
    /// <param name="responder">The client that responded, or null for the broker.</param>
    /// <param name="batch">The responder's batch.</param>
    public void Answered(IPublishingClient? responder, SendBatch batch)
    {
        if (Interlocked.Exchange(ref _isDone, 1) == 0) Publish(200, null, BrokerRequester.ClientOf(responder), batch);
    }

    /// <summary>Publishes that there is no response.</summary>
    /// <param name="outcome">The reason.</param>
    /// <param name="batch">The batch of the caller; null where there is none.</param>
    public void Failed(LatencyOutcome outcome, SendBatch? batch = null)
    {
        if (Interlocked.Exchange(ref _isDone, 1) != 0) return;
        var description = outcome switch
        {
            LatencyOutcome.NoReply => "Bad Request",
            LatencyOutcome.InterestLost => "Request Timeout",
            LatencyOutcome.NoResponders => "Service Unavailable",
            _ => "Service Timeout",
        };
        if (batch is not null) Publish((int)outcome, description, null, batch);
        else registry.Batches?.Run((Sample: this, Status: (int)outcome, description), static (it, own) => it.Sample.Publish(it.Status, it.description, null, own));
    }

    private void Publish(int status, string? description, IPublishingClient? responder, SendBatch batch)
    {
        var text = new ArrayBufferWriter<byte>(512);
        var requesterTrip = requester?.Details.RoundTrip ?? TimeSpan.Zero;
        var responderTrip = responder?.Details.RoundTrip ?? TimeSpan.Zero;
        var took = registry.Time.GetElapsedTime(_started);
        using (var json = new Utf8JsonWriter(text, Options))
        {
            json.WriteStartObject();
            json.WriteString("type", "io.nats.server.metric.v1.service_latency");
            json.WriteString("id", new string(Random.Shared.GetItems<char>(IdLetters, IdLength)));
            json.WriteString("timestamp", registry.Time.GetUtcNow().UtcDateTime);
            json.WriteNumber("status", status);
            if (description is not null) json.WriteString("description", description);
            WriteClient(json, "requestor", requester, import.Options.Share);
            if (status == 200) WriteClient(json, "responder", responder, shares: true);
            if (headers is not null)
            {
                json.WriteStartObject("header");
                foreach (var (name, value) in headers)
                {
                    json.WriteStartArray(name);
                    json.WriteStringValue(value);
                    json.WriteEndArray();
                }
                json.WriteEndObject();
            }
            json.WriteString("start", (_startedAt - requesterTrip).UtcDateTime);
            WriteTime(json, "service", status == 200 ? took - responderTrip : TimeSpan.Zero);
            // The time spent in the broker itself; only known where the responder's round trip is known.
            WriteTime(json, "system", status == 200 && responderTrip > TimeSpan.Zero ? registry.Time.GetElapsedTime(_started) - took : TimeSpan.Zero);
            WriteTime(json, "total", status == 200 ? requesterTrip + took : TimeSpan.Zero);
            json.WriteEndObject();
        }
        InternalPublisher.Publish(import.Exporter.Subscriptions, Encoding.UTF8.GetBytes(import.Export.Latency!.Subject), text.WrittenSpan, batch);
    }

    private void WriteClient(Utf8JsonWriter json, string name, IPublishingClient? client, bool shares)
    {
        if (client is null) return;
        json.WriteStartObject(name);
        RequestInfo.WriteMembers(json, client, client.AccountName, shares ? registry.ServerName : null, registry.ClusterName, shares);
        json.WriteEndObject();
    }

    // In nanoseconds. Never negative, although it is computed from round trips that were measured at other times.
    private static void WriteTime(Utf8JsonWriter json, string name, TimeSpan time) => json.WriteNumber(name, Math.Max(0, time.Ticks) * 100);
}
