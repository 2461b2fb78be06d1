using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Receives the chunks of an archive and responds to each; an empty one ends the archive, and its response describes the stream.</summary>
/// <remarks>Thread-safe. Source: nats-server, restore of streams.</remarks>
internal sealed class RestoreReceiver : IInternalSubscriber, IDisposable
{
    private const string ReplyType = "io.nats.jetstream.api.v1.stream_create_response";

    // A client that sends nothing for this long is considered gone.
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    private readonly JetStreamAccount _account;
    private readonly string _name;
    private readonly AdvisoryClient? _client;
    private readonly StreamRestore _restore;
    private readonly Subscription _chunks;
    private readonly ITimer _silence;
    private readonly DateTimeOffset _began;

    // Held while a chunk is processed, so that chunks are processed one by one. Taken before any lock of streams and consumers.
    private readonly Lock _gate = new();
    private long _bytes;
    private bool _isOver;

    public RestoreReceiver(JetStreamAccount account, StreamConfig config, AdvisoryClient? client)
    {
        _account = account;
        _name = config.Name;
        _client = client;
        _restore = new StreamRestore(account, config);
        _began = account.Engine.Time.GetUtcNow();
        Subject = $"$JS.SNAPSHOT.RESTORE.{_name}.{account.Services.NextId()}";
        var queued = new QueuedHandler(account.Mutations, this, account.Account.Subscriptions);
        _chunks = new Subscription(queued, Encoding.UTF8.GetBytes(Subject), []);
        _silence = account.Engine.Time.CreateTimer(static state => ((RestoreReceiver)state!).Abandon(), this, Silence, Timeout.InfiniteTimeSpan);
        account.Account.Subscriptions.Add(_chunks.SubjectBytes, [], _chunks);
    }

    /// <summary>The subject to send the chunks to.</summary>
    public string Subject { get; }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        byte[] answer = [];
        lock (_gate)
        {
            if (_isOver) return;
            _bytes += payload.Length;
            _silence.Change(Silence, Timeout.InfiniteTimeSpan);
            MessageStream? stream = null;
            var problem = replyTo.IsEmpty ? $"restore for stream '{_account.Account.Name} > {_name}' requires reply subject for each chunk" : ProcessChunk(payload, batch, out stream);
            if (problem is not null)
            {
                End(problem, batch);
                answer = Render(new StreamInfoReply { Error = ApiErrors.StreamRestore.With("err", problem) });
            }
            else if (stream is not null)
            {
                End(null, batch);
                answer = Render(new StreamInfoReply(StreamInfoMapper.Read(stream)));
                _account.StartSourcing(stream, batch);
            }
        }
        if (!replyTo.IsEmpty) InternalPublisher.Publish(_account.Account.Subscriptions, replyTo, answer, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(_account.Engine.Logger, Encoding.UTF8.GetString(subject), error);

    /// <inheritdoc/>
    public void Dispose()
    {
        _silence.Dispose();
        _restore.Dispose();
    }

    private string? ProcessChunk(ReadOnlySpan<byte> payload, SendBatch batch, out MessageStream? stream)
    {
        stream = null;
        try
        {
            return payload.IsEmpty ? _restore.Finish(batch, out stream) : _restore.ProcessChunk(payload);
        }
        catch (Exception error)
        {
            // The client that sends the archive gets a reason without paths, and nobody else is affected: here, running out of memory
            // results from a size in the archive.
            StreamLog.RequestFailed(_account.Engine.Logger, Subject, error);
            return DiskErrors.IsDiskError(error) ? DiskErrors.ReasonOf(error) : "internal error";
        }
    }

    private void Abandon()
        => _account.Engine.Batches.Run(this, static (self, batch) =>
        {
            lock (self._gate)
            {
                if (!self._isOver) self.End($"restore for stream '{self._account.Account.Name} > {self._name}' is stalled", batch);
            }
        });

    private void End(string? problem, SendBatch batch)
    {
        _isOver = true;
        _silence.Dispose();
        _chunks.AddConditions(DeliveryConditions.Closed);
        _account.Account.Subscriptions.Remove(_chunks.SubjectBytes, [], _chunks);
        if (problem is null)
        {
            StreamLog.RestoreCompleted(_account.Engine.Logger, _account.Account.Name, _name, _bytes);
        }
        else
        {
            StreamLog.RestoreFailed(_account.Engine.Logger, _account.Account.Name, _name, _bytes, problem);
            Abort(batch);
        }
        AdvisoryPublisher.Transfer(_account.Services, "RESTORE_COMPLETE", new StreamTransferAdvisory
        {
            Stream = _name,
            Start = _began,
            End = _account.Engine.Time.GetUtcNow(),
            Bytes = _bytes,
            Client = _client,
        }, batch);
    }

    private void Abort(SendBatch batch)
    {
        try
        {
            _restore.Abort(batch);
        }
        catch (Exception error)
        {
            // A disk that fails to delete the rest must neither prevent the response nor end the timer's thread.
            StreamLog.RequestFailed(_account.Engine.Logger, Subject, error);
        }
    }

    private static byte[] Render(StreamInfoReply reply)
    {
        reply.Type = ReplyType;
        return JsonSerializer.SerializeToUtf8Bytes(reply, StreamJson.Default.StreamInfoReply);
    }
}
