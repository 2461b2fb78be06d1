using System.Globalization;
using System.Net.Http;
using Grpc.Core;
using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>Sorts statuses and exceptions.</summary>
/// <remarks>Sources: gRPC's statuscodes.md; proposal A6, retries.</remarks>
internal static class GrpcErrors
{
    /// <summary>The name of the error of a failed call.</summary>
    internal const string ErrorTrailer = "postrider-error";

    /// <summary>Defined by gRPC: how many milliseconds to wait before the next attempt.</summary>
    internal const string RetryTrailer = "grpc-retry-pushback-ms";

    /// <summary>Defined by gRPC: the number of previous attempts.</summary>
    internal const string AttemptsHeader = "grpc-previous-rpc-attempts";

    /// <summary>The error of a message that the receiver could not store.</summary>
    internal const string NotStored = "Store";

    private static readonly TimeSpan s_maxRetryAfter = TimeSpan.FromDays(1);

    /// <summary>How long the receiver asks to wait before the next attempt; null if it does not ask for one.</summary>
    internal static TimeSpan? RetryAfter(RpcException failure)
        => failure.StatusCode == StatusCode.Unavailable
            && long.TryParse(failure.Trailers.GetValue(RetryTrailer), NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, (long)s_maxRetryAfter.TotalMilliseconds))
            : null;

    /// <summary>Whether the server could not be reached or accepts no more messages, so that the same call may succeed later.</summary>
    internal static bool IsPassing(Exception failure)
        => failure is RpcException { StatusCode: StatusCode.Unavailable }
            || (failure is RpcException { StatusCode: StatusCode.ResourceExhausted } full && full.Trailers.GetValue(ErrorTrailer) is null or nameof(PostriderError.QueueFull));

    /// <summary>Whether the receiver could not store the message, and a later attempt may succeed.</summary>
    internal static bool IsNotStored(RpcException failure)
        => failure.StatusCode == StatusCode.Unavailable && failure.Trailers.GetValue(ErrorTrailer) == NotStored;

    /// <summary>Whether the server may have started the attempt: it counts, because its process may have died because of the message.</summary>
    internal static bool MayHaveBegun(RpcException failure)
    {
        if (failure.StatusCode == StatusCode.ResourceExhausted)
            return false;
        for (var cause = failure.Status.DebugException; cause is not null; cause = cause.InnerException)
        {
            if (cause is HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError })
                return false;
        }

        return true;
    }

    internal static bool IsRefused(RpcException failure) => failure.StatusCode is StatusCode.PermissionDenied or StatusCode.Unauthenticated;

    /// <summary>The exception of a send or a request that failed for good.</summary>
    internal static Exception ToException(RpcException failure, string destination, Uri address)
    {
        var error = failure.Trailers.GetValue(ErrorTrailer);
        var detail = failure.Status.Detail;
        return failure.StatusCode switch
        {
            StatusCode.NotFound when error is nameof(PostriderError.NoListener) => new PostriderException(PostriderError.NoListener, $"There is no listener at '{destination}' of the inbox at {address}.", failure),
            StatusCode.ResourceExhausted when error is nameof(PostriderError.TooLarge) => new PostriderException(PostriderError.TooLarge, $"The inbox at {address} rejected the message to '{destination}': {detail}", failure),
            StatusCode.ResourceExhausted when error is nameof(PostriderError.QueueFull) => new PostriderException(PostriderError.QueueFull, $"The inbox at {address} accepts no more messages for '{destination}': {detail}", failure),
            StatusCode.InvalidArgument => new PostriderException(error is nameof(DeadLetterReason.Unreadable) ? PostriderError.Codec : PostriderError.Refused, $"The inbox at {address} rejected the message to '{destination}': {detail}", failure),
            StatusCode.Unimplemented => new PostriderException(PostriderError.Refused, $"The server at {address} has no service {Inbox.Descriptor.FullName}: {detail}", failure),
            StatusCode.PermissionDenied or StatusCode.Unauthenticated => Refused(address, $"{failure.StatusCode}: {detail}", failure),
            StatusCode.DeadlineExceeded => new TimeoutException($"The inbox at {address} did not answer for '{destination}' in time; the message may have been handled.", failure),
            // The connection failed, not the message: the client's exception is passed on, as in other transports.
            StatusCode.Unavailable => failure,
            _ when failure.Status.DebugException is not null => failure,
            _ => new RemoteException(destination, error is { Length: > 0 } ? error : failure.StatusCode.ToString(), detail),
        };
    }

    internal static PostriderException Refused(Uri address, string reason, Exception? cause)
        => new(PostriderError.Configuration, $"The inbox at {address} rejected the credentials: {reason}", cause);

    /// <summary>The description of a handler's failure for the sender: any other text may name types, paths or a database query.</summary>
    internal static string Describe(Exception failure)
        => failure is PostriderException { Error: PostriderError.Refused or PostriderError.NoHandler or PostriderError.QueueFull } known ? known.Message : "The handler failed.";
}
