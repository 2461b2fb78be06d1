namespace Postrider.Broker.JetStream.Streams;

/// <summary>How much a disk still takes.</summary>
internal static class FreeDisk
{
    // What nats-server assumes where it cannot know.
    private const long Unknown = 1L << 40;

    /// <summary>Free bytes where a folder is, or will be.</summary>
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
