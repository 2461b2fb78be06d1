using Postrider.Credentials.Files;

namespace Postrider.Credentials;

/// <summary>Files that contain the seed of an nkey.</summary>
public static class SeedFile
{
    private const int MaxBytes = 64 * 1024;

    /// <summary>Reads the first seed of a file: a line that begins with <c>S</c>, alone, among comments or between the marks of a
    /// <c>.creds</c> file.</summary>
    /// <param name="path">The file, 64 KiB at most; larger <c>.creds</c> files are read by <see cref="CredentialsFile.Read"/>.</param>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.InvalidFile"/>: the file is too large or has no seed; with
    /// <see cref="CredentialsErrorCode.WrongKeyKind"/>: the seed is that of a curve key.
    /// </exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public static NkeyPair Read(string path)
    {
        using var contents = SecretFile.Read(path, MaxBytes);
        foreach (var range in contents.Text.Split('\n'))
        {
            var line = contents.Text[range].Trim();
            if (line.Length == NkeyPair.SeedLength && line[0] == 'S') return NkeyPair.FromSeed(line);
        }
        throw new CredentialsException(CredentialsErrorCode.InvalidFile, $"{path} contains no seed: a line of {NkeyPair.SeedLength} characters that begins with S.");
    }

    /// <summary>Writes a seed to a file that only its owner can read (mode 0600). An existing file is replaced as a whole.</summary>
    /// <param name="path">The file.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be written.</exception>
    public static void Write(string path, NkeyPair key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Span<char> seed = stackalloc char[NkeyPair.SeedLength];
        key.WriteSeed(seed);
        SecretFile.Write(path, "", seed, "\n");
        seed.Clear();
    }

    /// <inheritdoc cref="Write(string, NkeyPair)"/>
    public static void Write(string path, CurveKeyPair key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Span<char> seed = stackalloc char[NkeyPair.SeedLength];
        key.WriteSeed(seed);
        SecretFile.Write(path, "", seed, "\n");
        seed.Clear();
    }
}
