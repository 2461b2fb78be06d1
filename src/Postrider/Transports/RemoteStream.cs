using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Requests a sequence remotely: sends the request through the transport and requests the items page by page.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
/// <remarks>The last step of a pipeline. The next page is requested when the items of the previous one were read, so that a slow receiver
/// slows the handler down. Leaving the enumeration ends the handler's. Thread-safe.</remarks>
internal sealed class RemoteStream<TRequest, TItem>(ITransport transport, ISerializerProvider serializers, SendTarget target)
    : StreamPipeline<TRequest, TItem>
    where TRequest : notnull
{
    private readonly EnvelopeSerializer<TRequest> _requests = new(serializers);
    private readonly EnvelopeSerializer<TItem> _items = new(serializers);
    private readonly MessageSender _sender = Open(transport, target);

    /// <inheritdoc/>
    public override IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct) => EnumerateAsync(request, state, ct);

    private static MessageSender Open(ITransport transport, SendTarget target)
    {
        AbilityCheck.StreamRoute(transport, target, typeof(TRequest));
        return transport.OpenSender(target);
    }

    private async IAsyncEnumerable<TItem> EnumerateAsync(TRequest request, object? state, [EnumeratorCancellation] CancellationToken ct)
    {
        var (body, contentType) = _requests.Write(request);
        var page = await FirstAsync(OutgoingProperties.Of(request, contentType, state, _sender.Target), body, ct).ConfigureAwait(false);
        string? inbox = null;
        MessageSender? pages = null;
        try
        {
            while (true)
            {
                inbox = page.Headers[HeaderNames.Stream];
                var rest = page.Body;
                while (StreamPage.TryTake(ref rest, out var item))
                    yield return _items.Read(page.Headers[HeaderNames.ContentType], item.Span);
                if (page.Headers[HeaderNames.Error] is { } error)
                    throw new RemoteException(_sender.Target.Destination, page.Headers[HeaderNames.ErrorCode] ?? nameof(PostriderError.Remote), error);
                if (inbox is null)
                    yield break;
                pages ??= transport.OpenSender(inbox);
                page = await NextAsync(pages, ct).ConfigureAwait(false);
            }
        }
        finally
        {
            if (inbox is not null)
                await EndAsync(pages ?? transport.OpenSender(inbox)).ConfigureAwait(false);
        }
    }

    private async ValueTask<Envelope> FirstAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        try
        {
            return await _sender.RequestAsync(in properties, body, ct).ConfigureAwait(false);
        }
        catch (PostriderException failure) when (RouteErrors.LacksRoute(failure, _sender.Target))
        {
            throw RouteErrors.WithRoute(failure, typeof(TRequest), _sender.Target);
        }
    }

    private async ValueTask<Envelope> NextAsync(MessageSender pages, CancellationToken ct)
    {
        try
        {
            return await pages.RequestAsync(Says(StreamResponder.Next), default, ct).ConfigureAwait(false);
        }
        catch (PostriderException gone) when (gone.Error == PostriderError.NoListener)
        {
            throw new RemoteException(
                _sender.Target.Destination, "Unavailable", "The process that sent the stream has stopped, or ended the stream because no items were requested for 30 s.");
        }
    }

    // If the handler's process is gone, there is nothing to end.
    private static async ValueTask EndAsync(MessageSender pages)
    {
        try
        {
            await pages.SendAsync(Says(StreamResponder.End), default, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The caller has to see the stream's own failure; the handler's process notices that no more items are requested.
        }
    }

    private static MessageProperties Says(string what) => new() { Headers = new Headers { { HeaderNames.Stream, what } } };
}
