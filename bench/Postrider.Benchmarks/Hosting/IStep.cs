using Postrider.Rpc;

namespace Postrider.Benchmarks.Hosting;

/// <summary>What is called.</summary>
[Service("step")]
public interface IStep
{
    /// <summary>The next number.</summary>
    /// <param name="value">A number.</param>
    /// <returns>The number after it.</returns>
    ValueTask<int> NextAsync(int value);
}
