using System.Globalization;
using Grpc.Core;

namespace Postrider.Transport.Grpc;

/// <summary>The result of a message for its sender.</summary>
/// <param name="Code">The status; OK for a receipt.</param>
/// <param name="Text">The error; empty for a receipt.</param>
/// <param name="Error">The kind of error: a <see cref="PostriderError"/> or a <see cref="DeadLetterReason"/>; empty for a receipt.</param>
internal readonly record struct GrpcOutcome(StatusCode Code, string Text = "", string Error = "")
{
    /// <summary>Whether the message was stored and not yet handled.</summary>
    internal bool IsStored { get; init; }

    /// <summary>The reason why the receiver keeps the message as a dead letter; null if it does not.</summary>
    internal DeadLetterReason? DeadLetter { get; init; }

    /// <summary>With <see cref="StatusCode.Unavailable"/>: how long to wait before the next attempt; null if there should be
    /// no other attempt.</summary>
    internal TimeSpan? RetryAfter { get; init; }

    internal static GrpcOutcome NoListener(string destination)
        => new(StatusCode.NotFound, $"There is no listener at '{destination}'.", nameof(PostriderError.NoListener));

    internal Receipt ToReceipt(long index = 0) => new()
    {
        Index = index,
        Stored = IsStored,
        DeadLetter = DeadLetter?.ToString() ?? "",
        Status = (int)Code,
        Error = Text,
        ErrorCode = Error,
        RetryAfterMs = Milliseconds(RetryAfter ?? TimeSpan.Zero),
    };

    internal RpcException ToException()
    {
        var trailers = new Metadata { { GrpcErrors.ErrorTrailer, Error } };
        if (RetryAfter is { } delay)
            trailers.Add(GrpcErrors.RetryTrailer, Milliseconds(delay).ToString(CultureInfo.InvariantCulture));
        return new RpcException(new Status(Code, Text), trailers);
    }

    private static long Milliseconds(TimeSpan delay) => (long)Math.Ceiling(delay.TotalMilliseconds);
}
