using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Sends a stream's snapshot to the requester in chunks that are acknowledged one by one.</summary>
/// <remarks>A full chunk has a reply subject for its acknowledgement, the last one has none; an empty message ends the snapshot, with a status
/// of 400 or more when it failed. Source: nats-server, snapshots of streams.</remarks>
internal sealed class SnapshotSender : IInternalSubscriber, IDisposable
{
    private const int DefaultChunkBytes = 128 * 1024;
    private const int DefaultWindowBytes = 8 * 1024 * 1024;
    private const int MinBytes = 1024;
    private const int MaxChunkBytes = 1024 * 1024;
    private const int MaxWindowBytes = 32 * 1024 * 1024;

    private static readonly TimeSpan InterestWait = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan InterestPoll = TimeSpan.FromMilliseconds(20);

    // A receiver that acknowledges nothing for this long has stalled.
    private static readonly TimeSpan AckWait = TimeSpan.FromSeconds(30);

    private readonly MessageStream _stream;
    private readonly StreamSnapshot _snapshot;
    private readonly AdvisoryClient? _client;
    private readonly byte[] _target;
    private readonly int _chunkBytes;
    private readonly int _window;
    private readonly SemaphoreSlim _room;
    private readonly string _ackPrefix;
    private readonly Subscription _acks;

    public SnapshotSender(MessageStream stream, StreamSnapshot archive, SnapshotRequest asked, AdvisoryClient? client)
    {
        _stream = stream;
        _snapshot = archive;
        _client = client;
        _target = Encoding.UTF8.GetBytes(asked.DeliverSubject);
        _chunkBytes = Math.Clamp(asked.ChunkBytes == 0 ? DefaultChunkBytes : asked.ChunkBytes, MinBytes, MaxChunkBytes);
        _window = Math.Max(Math.Clamp(asked.WindowBytes == 0 ? DefaultWindowBytes : asked.WindowBytes, MinBytes, MaxWindowBytes), _chunkBytes) / _chunkBytes;
        _room = new SemaphoreSlim(_window);
        _ackPrefix = $"$JS.SNAPSHOT.ACK.{stream.Name}.{stream.Services.NextId()}";
        _acks = new Subscription(this, Encoding.UTF8.GetBytes(_ackPrefix + ".>"), []);
    }

    private JetStreamEngine Engine => _stream.Account.Engine;

    /// <summary>Sends the snapshot; runs on a thread of the pool.</summary>
    public async Task RunAsync()
    {
        var tree = _stream.Services.Subscriptions;
        var began = Engine.Time.GetUtcNow();
        tree.Add(_acks.SubjectBytes, [], _acks);
        var (status, problem) = ("", (string?)null);
        try
        {
            (status, problem) = await SendAsync().ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            (status, problem) = ($"500 {(DiskErrors.IsDiskError(error) ? DiskErrors.ReasonOf(error) : "internal error")}", error.Message);
        }

        _acks.AddConditions(DeliveryConditions.Closed);
        tree.Remove(_acks.SubjectBytes, [], _acks);
        if (problem is not null) StreamLog.SnapshotFailed(Engine.Logger, _stream.Services.AccountName, _stream.Name, problem);
        Publish([], [], status.Length == 0 ? [] : Encoding.UTF8.GetBytes($"NATS/1.0 {status}\r\n\r\n"));
        Engine.Batches.Run((this, began, problem), static (it, batch) => AdvisoryPublisher.Transfer(it.Item1._stream.Services, "SNAPSHOT_COMPLETE", new StreamTransferAdvisory
        {
            Stream = it.Item1._stream.Name,
            Start = it.began,
            End = it.Item1.Engine.Time.GetUtcNow(),
            Client = it.Item1._client,
            Error = it.problem,
        }, batch));
    }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        // More acknowledgements than chunks do not widen the window.
        if (_room.CurrentCount < _window) _room.Release();
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(Engine.Logger, Encoding.UTF8.GetString(subject), error);

    /// <inheritdoc/>
    public void Dispose()
    {
        _room.Dispose();
        _snapshot.Dispose();
    }

    private async Task<(string Status, string? Problem)> SendAsync()
    {
        var status = "";
        await AwaitInterestAsync().ConfigureAwait(false);
        for (var index = 1; ; index++)
        {
            if (!HasInterest()) return ("408 No Interest", "no interest");
            // Nothing is added while a slow receiver has unread data: it may never acknowledge, and the subject may have other subscribers.
            while (IsHeldUp()) await Task.Delay(InterestPoll, Engine.Time).ConfigureAwait(false);
            if (!await TryAwaitRoomAsync().ConfigureAwait(false)) return ("408 No Flow Response", "no flow response");
            if (!TrySendChunk(index, out var isLast, out var problem)) return ($"500 {problem}", problem);
            if (isLast) return (status, null);
            status = "204";
        }
    }

    private bool TrySendChunk(int index, out bool isLast, out string? problem)
    {
        var chunk = _snapshot.ReadChunk(_chunkBytes, out problem);
        isLast = chunk.Length < _chunkBytes;
        if (problem is not null) return false;
        if (!isLast) Publish(chunk, Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{_ackPrefix}.{chunk.Length}.{index}")), []);
        else if (!chunk.IsEmpty) Publish(chunk, [], []);
        return true;
    }

    private async Task AwaitInterestAsync()
    {
        var began = Engine.Time.GetTimestamp();
        while (!HasInterest() && Engine.Time.GetElapsedTime(began) < InterestWait) await Task.Delay(InterestPoll, Engine.Time).ConfigureAwait(false);
    }

    private async Task<bool> TryAwaitRoomAsync()
    {
        if (_room.Wait(0)) return true;
        using var late = new CancellationTokenSource(AckWait, Engine.Time);
        try
        {
            await _room.WaitAsync(late.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private bool HasInterest() => Ask(static (tree, subject, batch) => InternalPublisher.HasReceiver(tree, subject, batch));

    // A receiver that reads nothing is closed at its deadline and then delays no other connection.
    private bool IsHeldUp() => Ask(static (tree, subject, batch) => InternalPublisher.IsHeldUp(tree, subject, batch));

    private bool Ask(Func<SubjectTree<Subscription>, byte[], SendBatch, bool> question)
    {
        var batch = Engine.Batches.Rent();
        var answer = question(_stream.Services.Subscriptions, _target, batch);
        Engine.Batches.Return(batch);
        return answer;
    }

    private void Publish(ReadOnlySpan<byte> chunk, byte[] replyTo, byte[] headers)
        => Engine.Batches.Run(
            new Outgoing(this, chunk, replyTo, headers),
            static (it, batch) => InternalPublisher.Publish(
                it.Sender._stream.Services.Subscriptions, it.Sender._target, it.Sender._target, it.ReplyTo, it.Headers, it.Chunk, batch));

    private readonly ref struct Outgoing(SnapshotSender sender, ReadOnlySpan<byte> chunk, byte[] replyTo, byte[] headers)
    {
        public SnapshotSender Sender { get; } = sender;

        public ReadOnlySpan<byte> Chunk { get; } = chunk;

        public byte[] ReplyTo { get; } = replyTo;

        public byte[] Headers { get; } = headers;
    }
}
