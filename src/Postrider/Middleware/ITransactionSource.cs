namespace Postrider.Middleware;

/// <summary>Begins transactions; register one per scope, over a DbContext for example.</summary>
public interface ITransactionSource
{
    /// <summary>Begins a transaction.</summary>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The transaction; disposing it without a commit rolls it back.</returns>
    ValueTask<ITransaction> Begin(CancellationToken ct);
}
