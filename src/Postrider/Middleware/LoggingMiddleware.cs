using Microsoft.Extensions.Logging;

namespace Postrider.Middleware;

/// <summary>Logs each message with its duration: Debug when it succeeded or its caller cancelled it, Warning when it was slow,
/// Information without a stack trace when the message was rejected or not valid, Error for any other exception.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="logger">The logger.</param>
/// <param name="time">The clock; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class LoggingMiddleware<TRequest, TResponse>(
    ILogger<LoggingMiddleware<TRequest, TResponse>> logger, TimeProvider? time = null, LoggingOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    private static readonly string s_message = typeof(TRequest).FullName ?? typeof(TRequest).Name;

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly TimeSpan _slowAfter = (options ?? new()).SlowAfter;

    /// <inheritdoc/>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var started = _time.GetTimestamp();
        try
        {
            var response = await next.Invoke(request, ct).ConfigureAwait(false);
            var took = _time.GetElapsedTime(started);
            if (took > _slowAfter)
                LogMessages.Slow(logger, s_message, took.TotalMilliseconds, _slowAfter.TotalMilliseconds);
            else
                LogMessages.Handled(logger, s_message, took.TotalMilliseconds);
            return response;
        }
        catch (Exception error)
        {
            LogEnd(error, _time.GetElapsedTime(started).TotalMilliseconds, ct);
            throw;
        }
    }

    private void LogEnd(Exception error, double milliseconds, CancellationToken ct)
    {
        if (error is OperationCanceledException && ct.IsCancellationRequested)
            LogMessages.Cancelled(logger, s_message, milliseconds);
        else if (FailureKind.Of(error).IsOfSender)
            LogMessages.Rejected(logger, s_message, milliseconds, (error.InnerException as UnauthorizedAccessException ?? error).Message);
        else
            LogMessages.Failed(logger, s_message, milliseconds, error);
    }
}

/// <summary>The log messages of the ready middleware.</summary>
internal static partial class LogMessages
{
    [LoggerMessage(10, LogLevel.Debug, "{Message} handled in {Milliseconds} ms.")]
    internal static partial void Handled(ILogger logger, string message, double milliseconds);

    [LoggerMessage(11, LogLevel.Warning, "{Message} took {Milliseconds} ms, more than {Limit} ms.")]
    internal static partial void Slow(ILogger logger, string message, double milliseconds, double limit);

    [LoggerMessage(13, LogLevel.Debug, "{Message} was cancelled by its caller after {Milliseconds} ms.")]
    internal static partial void Cancelled(ILogger logger, string message, double milliseconds);

    [LoggerMessage(14, LogLevel.Information, "{Message} was rejected after {Milliseconds} ms: {Reason}")]
    internal static partial void Rejected(ILogger logger, string message, double milliseconds, string reason);

    [LoggerMessage(12, LogLevel.Error, "{Message} failed after {Milliseconds} ms.")]
    internal static partial void Failed(ILogger logger, string message, double milliseconds, Exception error);
}
