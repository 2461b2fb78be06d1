using System.Globalization;
using Grpc.Core;
using Microsoft.AspNetCore.Http;

namespace Postrider.Transport.Grpc;

/// <summary>The service <c>postrider.messages.v1.Inbox</c>; its endpoint names the inbox.</summary>
internal sealed class InboxService : Inbox.InboxBase
{
    public override async Task<Receipt> Send(Message request, ServerCallContext context)
    {
        // A message without a destination checks whether the inbox responds.
        if (request.Destination.Length == 0)
            return new Receipt();
        var outcome = await (await InboxOf(context).BeginAsync(request, PreviousAttempts(context), context.CancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        return outcome.Code == StatusCode.OK ? outcome.ToReceipt() : throw outcome.ToException();
    }

    public override async Task SendBatch(IAsyncStreamReader<Message> requestStream, IServerStreamWriter<Receipt> responseStream, ServerCallContext context)
    {
        var inbox = InboxOf(context);
        using var places = new SemaphoreSlim(inbox.MaxBatchInFlight);
        using var writing = new SemaphoreSlim(1);
        Exception? failure = null;
        try
        {
            for (var index = 0L; Volatile.Read(ref failure) is null && await requestStream.MoveNext(context.CancellationToken).ConfigureAwait(false); index++)
            {
                await places.WaitAsync(context.CancellationToken).ConfigureAwait(false);
                Task<GrpcOutcome> handling;
                try
                {
                    handling = await inbox.BeginAsync(requestStream.Current, requestStream.Current.PreviousAttempts, context.CancellationToken).ConfigureAwait(false);
                }
                catch
                {
                    places.Release();
                    throw;
                }

                _ = FinishAsync(handling, index);
            }
        }
        finally
        {
            // Started work ends before the call does, even if the caller has disconnected.
            for (var i = 0; i < inbox.MaxBatchInFlight; i++)
                await places.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        if (failure is not null)
            throw new RpcException(new Status(StatusCode.Cancelled, "The receipts could not be written.", failure));

        async Task FinishAsync(Task<GrpcOutcome> handling, long index)
        {
            try
            {
                var receipt = (await handling.ConfigureAwait(false)).ToReceipt(index);
                await writing.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                try
                {
                    await responseStream.WriteAsync(receipt, context.CancellationToken).ConfigureAwait(false);
                }
                finally
                {
                    writing.Release();
                }
            }
            catch (Exception gone)
            {
                // The caller has disconnected: this ends the loop.
                Volatile.Write(ref failure, gone);
            }
            finally
            {
                places.Release();
            }
        }
    }

    public override async Task<Message> Request(Message request, ServerCallContext context)
    {
        var (answer, outcome) = await InboxOf(context).AnswerAsync(request, context.CancellationToken).ConfigureAwait(false);
        return answer ?? throw outcome.ToException();
    }

    private static GrpcInbox InboxOf(ServerCallContext context)
        => context.GetHttpContext().GetEndpoint()?.Metadata.GetMetadata<GrpcInbox>()
            ?? throw new RpcException(new Status(StatusCode.Unimplemented, "The inbox was not mapped by MapGrpcTransport."));

    private static long PreviousAttempts(ServerCallContext context)
        => long.TryParse(context.GetHttpContext().Request.Headers[GrpcErrors.AttemptsHeader], NumberStyles.None, CultureInfo.InvariantCulture, out var attempts) ? attempts : 0;
}
