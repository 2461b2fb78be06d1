using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract that tells which objects its implementation was given.</summary>
[Service("parts")]
public interface IParts
{
    /// <summary>The numbers of the implementation's objects: scoped, scoped through another one, transient, transient through another one.</summary>
    ValueTask<int[]> NumbersAsync();

    /// <summary>The number of the scoped object that the constructor received, and of the one that the services of the call provide.</summary>
    ValueTask<int[]> ScopedNumbersAsync(CallContext context);
}
