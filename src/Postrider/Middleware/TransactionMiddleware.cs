namespace Postrider.Middleware;

/// <summary>Runs the handler in a transaction and commits when it succeeds.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="transactions">The scope's source of transactions.</param>
[Middleware(Lifetime = HandlerLifetime.Scoped)]
public sealed class TransactionMiddleware<TRequest, TResponse>(ITransactionSource transactions) : IMiddleware<TRequest, TResponse>
    where TRequest : ITransactional
{
    /// <inheritdoc/>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var transaction = await transactions.Begin(ct).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            var response = await next.Invoke(request, ct).ConfigureAwait(false);
            await transaction.Commit(ct).ConfigureAwait(false);
            return response;
        }
    }
}
