namespace Postrider.Dispatch;

/// <summary>What a publish that went on to the end fails with.</summary>
internal static class PublishErrors
{
    /// <summary>One exception for all.</summary>
    /// <param name="errors">What the handlers failed with; at least one.</param>
    /// <param name="handlers">How many there are.</param>
    /// <param name="message">The notification.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>A cancellation where the caller cancelled and no handler failed otherwise; else all of them.</returns>
    internal static Exception All(List<Exception> errors, int handlers, Type message, CancellationToken ct)
        => ct.IsCancellationRequested && errors.TrueForAll(static e => e is OperationCanceledException)
            ? new OperationCanceledException($"{errors.Count} of {handlers} handlers of {message} were cancelled.", errors[0], ct)
            : new AggregateException($"{errors.Count} of {handlers} handlers of {message} failed.", errors);
}
