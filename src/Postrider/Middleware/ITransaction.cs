namespace Postrider.Middleware;

/// <summary>An open transaction; disposing it without a commit rolls it back.</summary>
public interface ITransaction : IAsyncDisposable
{
    /// <summary>Commits the changes.</summary>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when they are committed.</returns>
    ValueTask Commit(CancellationToken ct);
}
