using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>Transfers backups of streams from and to the server, in chunks that are acknowledged one by one.</summary>
internal static class StreamBackups
{
    private const int ChunkBytes = 128 * 1024;

    // A server that sends no chunk for this long is considered to have failed.
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    public static async Task<StreamBackup> WriteAsync(ApiClient api, string stream, Stream target, bool checkMessages, CancellationToken ct)
    {
        var session = api.Session;
        var inbox = session.NewInbox();
        var chunks = new NatsSubscription<ReadOnlyMemory<byte>>(session, inbox, new SubscriptionOptions(), session.Serializers.Get<ReadOnlyMemory<byte>>());
        session.Subscribe(chunks);
        await using var ends = ((IAsyncDisposable)chunks).ConfigureAwait(false);
        var request = new SnapshotRequest { DeliverSubject = inbox, ChunkSize = ChunkBytes, ChecksMessages = checkMessages };
        var begun = await api.CallAsync($"STREAM.SNAPSHOT.{stream}", request, JetStreamJson.Default.SnapshotRequest, JetStreamJson.Default.SnapshotReply, ct).ConfigureAwait(false);
        while (true)
        {
            var chunk = await NextAsync(session, chunks, stream, ct).ConfigureAwait(false);
            if (chunk.Data.IsEmpty)
            {
                if (chunk.Headers is { Status: >= 400 } failed) throw new JetStreamException(failed.Status, 0, failed.StatusText, $"STREAM.SNAPSHOT.{stream}");
                return new StreamBackup(begun.Config, begun.State);
            }
            await target.WriteAsync(chunk.Data, ct).ConfigureAwait(false);
            if (chunk.ExpectsReply) await chunk.ReplyAsync(ct: ct).ConfigureAwait(false);
        }
    }

    public static async Task<StreamInfo> ReadAsync(ApiClient api, StreamBackup backup, Stream source, CancellationToken ct)
    {
        var name = backup.Config.Name;
        ApiClient.CheckName("Stream", name);
        var request = new RestoreRequest { Config = backup.Config, State = backup.State };
        var begun = await api.CallAsync($"STREAM.RESTORE.{name}", request, JetStreamJson.Default.RestoreRequest, JetStreamJson.Default.RestoreReply, ct).ConfigureAwait(false);
        var buffer = new byte[ChunkBytes];
        while (true)
        {
            var bytes = await source.ReadAtLeastAsync(buffer, ChunkBytes, throwOnEndOfStream: false, ct).ConfigureAwait(false);
            var answer = await api.Requester.RequestAsync<ReadOnlyMemory<byte>, byte[]>(begun.DeliverSubject, buffer.AsMemory(0, bytes), Silence, null, null, null, ct).ConfigureAwait(false);
            if (answer.Data.Length == 0 && bytes > 0) continue;
            var reply = new ApiReplySerializer<StreamInfo>(JetStreamJson.Default.StreamInfo).Read(answer.Data);
            return reply.Error is { } error ? throw new JetStreamException(error.Code, error.ErrorCode, error.Description ?? "", $"STREAM.RESTORE.{name}") : reply.Value;
        }
    }

    private static async ValueTask<NatsMessage<ReadOnlyMemory<byte>>> NextAsync(NatsSession session, NatsSubscription<ReadOnlyMemory<byte>> chunks, string stream, CancellationToken ct)
    {
        using var late = new CancellationTokenSource(Silence, session.Options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, ct);
        try
        {
            return await chunks.ReadAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new NatsClientException(NatsErrorCode.RequestTimeout, $"The backup of stream '{stream}' stalled: nothing was received for {Silence.TotalSeconds} s.");
        }
    }
}
