using System.Text;
using Postrider.Credentials.Files;

namespace Postrider.Credentials;

/// <summary>The contents of a <c>.creds</c> file: a user's token and the key that belongs to it.</summary>
/// <remarks>Holds the key; dispose it to wipe the seed. Source: nats-io/jwt, "decorated" files.</remarks>
public sealed class CredentialsFile : IDisposable
{
    /// <summary>The largest file that is read, in bytes: a token of <see cref="NatsJwt.MaxTokenLength"/> and a seed.</summary>
    public const int MaxBytes = NatsJwt.MaxTokenLength + (64 * 1024);

    /// <summary>Creates the contents of a file.</summary>
    /// <param name="jwt">The user's token.</param>
    /// <param name="key">The user's key; it is disposed with this.</param>
    public CredentialsFile(string jwt, NkeyPair key)
    {
        ArgumentException.ThrowIfNullOrEmpty(jwt);
        ArgumentNullException.ThrowIfNull(key);
        (Jwt, Key) = (jwt, key);
    }

    /// <summary>The user's token. It is not verified.</summary>
    public string Jwt { get; }

    /// <summary>The user's key.</summary>
    public NkeyPair Key { get; }

    /// <summary>Reads a file.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.InvalidFile"/>: the file is too large, or has no token or no seed; with
    /// <see cref="CredentialsErrorCode.InvalidSeed"/>: its seed is damaged.
    /// </exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public static CredentialsFile Read(string path)
    {
        using var contents = SecretFile.Read(path, MaxBytes);
        try
        {
            return Parse(contents.Text);
        }
        catch (CredentialsException error)
        {
            throw new CredentialsException(error.Code, $"{path}: {error.Message}", error);
        }
    }

    /// <summary>Reads the text of a file.</summary>
    /// <param name="text">The text; it is the caller's to wipe.</param>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.InvalidFile"/>: there is no token or no seed; with
    /// <see cref="CredentialsErrorCode.InvalidSeed"/>: the seed is damaged.
    /// </exception>
    public static CredentialsFile Parse(ReadOnlySpan<char> text)
    {
        var jwt = DecoratedText.Find(text, "JWT");
        if (jwt.IsEmpty) throw new CredentialsException(CredentialsErrorCode.InvalidFile, "There is no token: a line between -----BEGIN NATS USER JWT----- and ------END NATS USER JWT------.");
        var seed = DecoratedText.Find(text, "SEED");
        if (seed.IsEmpty) throw new CredentialsException(CredentialsErrorCode.InvalidFile, "There is no seed: a line between -----BEGIN USER NKEY SEED----- and ------END USER NKEY SEED------.");
        return new CredentialsFile(new string(jwt), NkeyPair.FromSeed(seed));
    }

    /// <summary>Writes a file that only its owner can read (mode 0600). An existing file is replaced as a whole.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be written.</exception>
    public void Write(string path)
    {
        var kind = Key.Kind.ToString().ToUpperInvariant();
        var text = new StringBuilder()
            .Append("-----BEGIN NATS ").Append(kind).Append(" JWT-----\n").Append(Jwt).Append("\n------END NATS ").Append(kind).Append(" JWT------\n\n")
            .Append("************************* IMPORTANT *************************\n")
            .Append("NKEY Seed printed below can be used to sign and prove identity.\nNKEYs are sensitive and should be treated as secrets.\n\n")
            .Append("-----BEGIN ").Append(kind).Append(" NKEY SEED-----\n");
        Span<char> seed = stackalloc char[NkeyPair.SeedLength];
        Key.WriteSeed(seed);
        SecretFile.Write(path, text.ToString(), seed, $"\n------END {kind} NKEY SEED------\n\n*************************************************************\n");
        seed.Clear();
    }

    /// <summary>Wipes the seed.</summary>
    public void Dispose() => Key.Dispose();

    /// <summary>The public key's text.</summary>
    public override string ToString() => Key.PublicKey;
}
