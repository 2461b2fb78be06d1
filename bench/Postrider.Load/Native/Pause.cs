namespace Postrider.Load.Native;

/// <summary>A pause of the calling thread, between measurements only.</summary>
internal static class Pause
{
    public static void Milliseconds(int milliseconds) => Thread.Sleep(milliseconds);

    public static void Seconds(double seconds) => Thread.Sleep(TimeSpan.FromSeconds(seconds));
}
