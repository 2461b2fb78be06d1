using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Api;

/// <summary>One operation of the API, as an internal subscriber.</summary>
internal sealed class ApiOperation(JetStreamAccount account, string responseType, int firstToken, ApiHandler handler) : IInternalSubscriber
{
    /// <inheritdoc/>
    public bool IsImported => true;

    /// <inheritdoc/>
    public bool ServesClients => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        if (account.Engine.Recovery.TryHold(this, publisher, subject, replyTo, headers, payload)) return;
        var request = new ApiRequest(account, publisher, subject, replyTo, headers, payload, responseType, firstToken, batch);
        if (!ApiLevel.IsSupported(headers))
        {
            request.Fail(ApiErrors.RequiredApiLevel);
            return;
        }
        try
        {
            handler(in request);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The thread serves other requests too: an unexpected exception becomes an error reply and a log line.
            StreamLog.RequestFailed(account.Engine.Logger, Encoding.UTF8.GetString(subject), error);
            request.Fail(ApiErrors.StreamGeneral.With("err", DiskErrors.IsDiskError(error) ? DiskErrors.ReasonOf(error) : "internal error"));
        }
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(account.Engine.Logger, Encoding.UTF8.GetString(subject), error);
}
