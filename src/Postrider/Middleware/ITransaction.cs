namespace Postrider.Middleware;

/// <summary>A transaction under way; disposing it without a commit rolls back.</summary>
public interface ITransaction : IAsyncDisposable
{
    /// <summary>Makes the changes last.</summary>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when they do.</returns>
    ValueTask Commit(CancellationToken ct);
}
