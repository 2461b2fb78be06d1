using System.Diagnostics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Asks a server to make streams and consumers and what it knows of them.</summary>
/// <remarks>Not timed; one request at a time.</remarks>
internal sealed class StreamApi : IDisposable
{
    private const string Inbox = "_INBOX.loadgeneratorcontrol00";

    // Deleting a stream of gigabytes on a busy disk.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private static readonly TimeSpan AcknowledgeLimit = TimeSpan.FromSeconds(5);

    private readonly Connection _connection;
    private readonly MessageReader _reader;
    private int _requests;

    public StreamApi(int port)
    {
        _connection = Connection.Open(port);
        _reader = new MessageReader(_connection);
        _connection.Subscribe($"{Inbox}.*", "1");
        _connection.RoundTrip();
    }

    public void CreateStream(string name, object config) => Require($"$JS.API.STREAM.CREATE.{name}", config);

    public void DeleteStream(string name) => Require($"$JS.API.STREAM.DELETE.{name}", new { });

    public void CreateConsumer(string stream, string name, object config)
        => Require($"$JS.API.CONSUMER.CREATE.{stream}.{name}", new { stream_name = stream, config, action = "create" });

    public void DeleteConsumer(string stream, string name) => Require($"$JS.API.CONSUMER.DELETE.{stream}.{name}", new { });

    /// <summary>How many messages a stream says that it has; null when it cannot be asked yet.</summary>
    public long? FindMessages(string stream)
        => Ask($"$JS.API.STREAM.INFO.{stream}", new { }) is { } reply && reply["error"] is null ? (long?)reply["state"]?["messages"] : null;

    /// <summary>Throws unless the stream has exactly that many messages.</summary>
    public void ExpectMessages(string stream, long expected)
    {
        if (FindMessages(stream) is var found && found != expected)
            throw new LoadException($"{stream} has {found} messages where {expected} were acknowledged.");
    }

    /// <summary>Throws unless a consumer has delivered and had acknowledged exactly that many.</summary>
    /// <remarks>A server may still be taking acknowledgements that it read before its PONG.</remarks>
    public void ExpectAcknowledged(string stream, string consumer, long expected)
    {
        var asked = Stopwatch.GetTimestamp();
        while (true)
        {
            var info = Require($"$JS.API.CONSUMER.INFO.{stream}.{consumer}", new { });
            var floor = (long?)info["ack_floor"]?["stream_seq"];
            var open = (long?)info["num_ack_pending"];
            if (floor == expected && open == 0)
                return;
            if (Stopwatch.GetElapsedTime(asked) > AcknowledgeLimit)
                throw new LoadException($"{consumer} has {open} open messages and acknowledged up to {floor}; {expected} were acknowledged.");
            Pause.Milliseconds(5);
        }
    }

    public void Dispose()
    {
        _reader.Dispose();
        _connection.Dispose();
    }

    private JsonNode Require(string subject, object request)
    {
        var reply = Ask(subject, request) ?? throw new LoadException($"{subject}: no responders.");
        return reply["error"] is { } error ? throw new LoadException($"{subject}: {error.ToJsonString()}") : reply;
    }

    // Null when nobody answers on the subject.
    private JsonNode? Ask(string subject, object request)
    {
        var payload = JsonSerializer.SerializeToUtf8Bytes(request);
        var reply = $"{Inbox}.{++_requests}";
        _connection.Say([.. Encoding.ASCII.GetBytes($"PUB {subject} {reply} {payload.Length}\r\n"), .. payload, .. "\r\n"u8]);
        var asked = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(asked) < Limit)
        {
            while (_reader.TryNext(out var message))
            {
                if (message.Subject.SequenceEqual(Encoding.ASCII.GetBytes(reply)))
                    return message.IsStatus ? null : JsonNode.Parse(message.Payload);
            }

            _reader.Fill(wait: true);
        }

        throw new LoadException($"{subject}: no reply within {Limit.TotalSeconds} s.");
    }
}
