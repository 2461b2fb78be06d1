namespace Postrider.Benchmarks.Dispatch;

/// <summary>What another dispatcher does in the rows. A struct: the rows are closed over it, so that its calls are compiled as
/// if they had been written for it.</summary>
internal interface IPeer
{
    /// <summary>The subject's name.</summary>
    static abstract string Name { get; }

    /// <summary>The rows it cannot do, or does elsewhere.</summary>
    static abstract IReadOnlyCollection<string> Missing { get; }

    /// <summary>The program that has the peer, where it cannot share this one's packages; null for this program.</summary>
    static virtual string? Program => null;

    /// <summary>Makes the peer as its guide says.</summary>
    /// <param name="row">What it is made for: middleware is there only for the row that measures it.</param>
    void Setup(string row);

    /// <summary>A command without a result.</summary>
    ValueTask Command(int id);

    /// <summary>A query.</summary>
    ValueTask<int> Query(int id);

    /// <summary>A query through three middleware, each an async method.</summary>
    ValueTask<int> Piped(int id);

    /// <summary>A notification to two handlers.</summary>
    ValueTask Note2(int id);

    /// <summary>A notification to three handlers.</summary>
    ValueTask Note3(int id);

    /// <summary>A query whose handler suspends.</summary>
    ValueTask<int> Suspending(int id);

    /// <summary>A sequence.</summary>
    IAsyncEnumerable<int> Numbers(int count);

    /// <summary>A query to a handler of a new scope.</summary>
    ValueTask<int> InScope(int id);
}

/// <summary>Stands for a peer that was not compiled in.</summary>
internal struct NoPeer : IPeer
{
    public static string Name => "none";

    public static IReadOnlyCollection<string> Missing => [];

    public readonly void Setup(string row)
    {
    }

    public readonly ValueTask Command(int id) => default;

    public readonly ValueTask<int> Query(int id) => default;

    public readonly ValueTask<int> Piped(int id) => default;

    public readonly ValueTask Note2(int id) => default;

    public readonly ValueTask Note3(int id) => default;

    public readonly ValueTask<int> Suspending(int id) => default;

    public readonly IAsyncEnumerable<int> Numbers(int count) => throw new NotSupportedException();

    public readonly ValueTask<int> InScope(int id) => default;
}
