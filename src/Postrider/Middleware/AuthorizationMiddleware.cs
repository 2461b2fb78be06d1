namespace Postrider.Middleware;

/// <summary>Rejects messages that an <see cref="IAuthorizer{TMessage}"/> does not allow.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="authorizers">All authorizers of the message's type.</param>
/// <param name="options">Null for the defaults.</param>
[Middleware(Lifetime = HandlerLifetime.Scoped)]
public sealed class AuthorizationMiddleware<TRequest, TResponse>(
    IEnumerable<IAuthorizer<TRequest>> authorizers, AuthorizationOptions? options = null) : IContextMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Refused"/>.</exception>
    public async ValueTask<TResponse> Handle(
        TRequest request, MessageContext context, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var guarded = false;
        foreach (var authorizer in authorizers)
        {
            guarded = true;
            if (!await authorizer.Allows(request, context.User, ct).ConfigureAwait(false))
                throw Rejected(context, authorizer.GetType().Name);
        }

        if (!guarded && options is { AllowUnguarded: false })
            throw Rejected(context, "no authorizer");
        return await next.Invoke(request, ct).ConfigureAwait(false);
    }

    private static PostriderException Rejected(MessageContext context, string by)
        => new(
            PostriderError.Refused,
            "The sender is not allowed to send this message.",
            new UnauthorizedAccessException($"{by} does not allow {context.User?.Identity?.Name ?? "an unknown user"} to send {typeof(TRequest)}."));
}
