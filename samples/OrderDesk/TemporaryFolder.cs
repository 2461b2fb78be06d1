namespace Postrider.Samples.OrderDesk;

/// <summary>A folder that exists as long as the program runs.</summary>
/// <param name="isWanted">False creates none.</param>
internal sealed class TemporaryFolder(bool isWanted) : IDisposable
{
    public string? Path { get; } = isWanted ? Directory.CreateTempSubdirectory("order-desk-").FullName : null;

    public void Dispose()
    {
        if (Path is not null) Directory.Delete(Path, recursive: true);
    }
}
