using System.Runtime.CompilerServices;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.Requests;

/// <summary>One request, many replies.</summary>
internal static class RequestMany
{
    private const int NoRespondersStatus = 503;

    public static async IAsyncEnumerable<NatsMessage<TReply>> ReadAsync<TRequest, TReply>(
        NatsSession session,
        string subject,
        TRequest data,
        RequestManyOptions options,
        NatsHeaders? headers,
        Serializer<TRequest>? requestSerializer,
        Serializer<TReply>? replySerializer,
        [EnumeratorCancellation] CancellationToken ct)
    {
        options.Check();
        var inbox = session.NewInbox();
        var serializer = replySerializer ?? session.Serializers.Get<TReply>();
        var subscription = new NatsSubscription<TReply>(session, inbox, new SubscriptionOptions(), serializer);
        session.Subscribe(subscription);
        await using var ends = ((IAsyncDisposable)subscription).ConfigureAwait(false);
        await session.PublishAsync(subject, data, inbox, headers, requestSerializer, ct).ConfigureAwait(false);

        var time = session.Options.TimeProvider;
        using var over = new CancellationTokenSource(options.Timeout ?? session.Options.RequestTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(over.Token, ct);
        for (var count = 0; options.MaxReplies == 0 || count < options.MaxReplies; count++)
        {
            if (!await MayReadAsync(subscription, count > 0 && options.Idle > TimeSpan.Zero ? options.Idle : null, time, either.Token, ct).ConfigureAwait(false)) yield break;
            if (!subscription.TryRead(out var reply)) yield break;
            if (reply.Headers is { Status: NoRespondersStatus }) throw new NatsNoRespondersException(subject);
            if (options.EmptyReplyEnds && reply.SizeBytes == 0) yield break;
            yield return reply;
        }
    }

    private static async ValueTask<bool> MayReadAsync<T>(NatsSubscription<T> subscription, TimeSpan? idle, TimeProvider time, CancellationToken over, CancellationToken ct)
    {
        if (subscription.PendingMessages > 0) return true;
        using var quiet = idle is null ? null : new CancellationTokenSource(idle.Value, time);
        using var either = quiet is null ? null : CancellationTokenSource.CreateLinkedTokenSource(over, quiet.Token);
        try
        {
            return await subscription.MoveNextAsync(either?.Token ?? over).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }
}
