namespace Postrider.Broker.JetStream.Streams;

/// <summary>The free space of a disk.</summary>
internal static class FreeDisk
{
    // nats-server's assumption when the free space is unknown.
    private const long Unknown = 1L << 40;

    /// <summary>Free bytes on the disk of a folder, which need not exist yet.</summary>
    public static long BytesAt(string path)
    {
        try
        {
            var folder = new DirectoryInfo(path);
            while (!folder.Exists && folder.Parent is { } parent) folder = parent;
            return new DriveInfo(folder.FullName).AvailableFreeSpace;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return Unknown;
        }
    }
}
