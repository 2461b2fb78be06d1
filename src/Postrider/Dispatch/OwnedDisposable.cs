namespace Postrider.Dispatch;

/// <summary>What a container disposes in the place of an instance that generated code made: resolved right after that was
/// made, it ends in the order in which the container would have ended the instance itself.</summary>
internal sealed class OwnedDisposable : IDisposable, IAsyncDisposable
{
    internal object? Instance { get; set; }

    public void Dispose()
    {
        if (Instance is IDisposable disposable)
        {
            disposable.Dispose();
        }
        else if (Instance is IAsyncDisposable)
        {
            throw new InvalidOperationException(
                $"{Instance.GetType()} implements only IAsyncDisposable: its scope must be disposed with DisposeAsync.");
        }
    }

    public ValueTask DisposeAsync()
    {
        if (Instance is IAsyncDisposable asynchronous)
            return asynchronous.DisposeAsync();

        Dispose();
        return default;
    }
}
