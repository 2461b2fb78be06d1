namespace Postrider.Dispatch;

/// <summary>Registered in a container to dispose an instance that generated code created: resolved right after the instance was
/// created, it is disposed in the order in which the container would have disposed the instance itself.</summary>
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
