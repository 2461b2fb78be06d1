using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Postrider.Middleware;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.AspNetCore;

/// <summary>Chooses the status and the detail of a failure.</summary>
internal sealed class MessageExceptionHandler(IProblemDetailsService problems) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (exception is OperationCanceledException && httpContext.RequestAborted.IsCancellationRequested)
            return true;
        if (Describe(exception) is not { } details)
            return false;
        httpContext.Response.StatusCode = details.Status!.Value;
        // A caller that does not accept JSON gets the status alone.
        await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, ProblemDetails = details }).ConfigureAwait(false);
        return true;
    }

    private static ProblemDetails? Describe(Exception exception) => exception switch
    {
        InvalidMessageException invalid => new HttpValidationProblemDetails(invalid.Errors
            .GroupBy(static error => error.Member, StringComparer.Ordinal)
            .ToDictionary(static errors => errors.Key, static errors => errors.Select(static error => error.Message).ToArray(), StringComparer.Ordinal))
        {
            Status = StatusCodes.Status400BadRequest,
            Detail = "The message is not valid.",
        },
        RemoteException remote => OfRoute(remote),
        IServiceFailure failure => OfService(failure.Kind),
        PostriderException { Error: PostriderError.Refused } => Details(StatusCodes.Status403Forbidden, exception.Message),
        PostriderException { Error: PostriderError.QueueFull } => Details(StatusCodes.Status503ServiceUnavailable, "The queue is full. Try again later."),
        PostriderException { Error: PostriderError.NoListener } => Details(StatusCodes.Status503ServiceUnavailable, "The service that handles the message is not available."),
        CircuitBreakerOpenException or PostriderException { Error: PostriderError.Unavailable } => NotAvailable(),
        TimeoutException => TooLate(),
        BadHttpRequestException bad => Details(bad.StatusCode, bad.Message),
        _ => null,
    };

    // The other side has replied for its callers: its texts may be shown. See FailureKind.
    private static ProblemDetails? OfRoute(RemoteException remote) => remote.Code switch
    {
        "Invalid" => Details(StatusCodes.Status400BadRequest, remote.Reason),
        nameof(PostriderError.Refused) => Details(StatusCodes.Status403Forbidden, remote.Reason),
        nameof(PostriderError.QueueFull) or nameof(PostriderError.Unavailable) => NotAvailable(),
        "Timeout" => TooLate(),
        _ => null,
    };

    // The texts may name hosts and operations. What the handler's own request has caused, such as invalid data or a missing permission, is its failure.
    private static ProblemDetails? OfService(ServiceFailureKind kind) => kind switch
    {
        ServiceFailureKind.Unavailable => NotAvailable(),
        ServiceFailureKind.Timeout => TooLate(),
        ServiceFailureKind.Conflict => Details(StatusCodes.Status409Conflict, "The request conflicts with the state of a service that the handler needs."),
        _ => null,
    };

    private static ProblemDetails NotAvailable() => Details(StatusCodes.Status503ServiceUnavailable, "A service that the handler needs is not available.");

    private static ProblemDetails TooLate() => Details(StatusCodes.Status504GatewayTimeout, "The handler exceeded its time limit.");

    private static ProblemDetails Details(int status, string detail) => new() { Status = status, Detail = detail };
}
