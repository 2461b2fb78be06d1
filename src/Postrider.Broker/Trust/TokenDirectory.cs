using System.Security.Cryptography;
using System.Text;
using Postrider.Credentials;
using Postrider.Storage.Faults;

namespace Postrider.Broker.Trust;

/// <summary>A folder with the tokens of accounts: <c>ACCOUNTKEY.jwt</c>.</summary>
/// <remarks>
/// A token is written to another file that then replaces the old one: after a crash a file has the old token or the new one. Thread-safe.
/// Source: nats-server, whose folders this class reads and writes.
/// </remarks>
internal sealed class TokenDirectory : IDisposable
{
    private const string Ending = ".jwt";
    private const string DeletedEnding = ".deleted";
    private const string UnfinishedEnding = ".unfinished";

    private static readonly TimeSpan LongestInterval = TimeSpan.FromMinutes(1);

    // Guards the index and the files. No other lock is taken while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, TokenEntry> _index = new(StringComparer.Ordinal);
    private readonly LinkedList<string> _byUse = new();
    private readonly TokenDirectoryOptions _options;
    private readonly TimeProvider _time;
    private readonly ITimer _expiry;
    private byte[] _hash = new byte[SHA256.HashSizeInBytes];

    /// <summary>Opens the folder, which is created if it is missing, and reads the list of accounts.</summary>
    /// <param name="options">The options of the folder.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="IOException">The folder cannot be created or read; <see cref="UnauthorizedAccessException"/> as well.</exception>
    public TokenDirectory(TokenDirectoryOptions options, TimeProvider time)
    {
        (_options, _time) = (options with { Path = System.IO.Path.GetFullPath(options.Path) }, time);
        Directory.CreateDirectory(Path);
        foreach (var unfinished in Directory.EnumerateFiles(Path, "*" + UnfinishedEnding)) File.Delete(unfinished);
        lock (_gate) Scan();
        var half = options.TimeToLive / 2;
        var interval = half == TimeSpan.Zero || half > LongestInterval ? LongestInterval : half;
        _expiry = time.CreateTimer(static state => ((TokenDirectory)state!).RemoveExpired(), this, TimeSpan.Zero, interval);
    }

    /// <summary>The folder's full path.</summary>
    public string Path => _options.Path;

    /// <summary>Whether and how accounts are deleted.</summary>
    public DeleteMode Delete => _options.Delete;

    /// <summary>The number of accounts.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _index.Count;
        }
    }

    /// <summary>A hash of all tokens: equal when two folders have the same tokens. 32 bytes.</summary>
    public byte[] Hash
    {
        get
        {
            lock (_gate) return [.. _hash];
        }
    }

    /// <summary>The public keys of the accounts whose tokens have not expired, in order.</summary>
    public IReadOnlyList<string> Keys
    {
        get
        {
            var now = _time.GetUtcNow();
            lock (_gate) return [.. _index.Where(pair => pair.Value.TokenExpires is null || pair.Value.TokenExpires > now).Select(static pair => pair.Key).Order(StringComparer.Ordinal)];
        }
    }

    /// <summary>Reads the token of an account.</summary>
    /// <returns>Null when there is none.</returns>
    public string? Load(string key)
    {
        if (!PublicNkey.IsValid(key, NkeyKind.Account)) return null;
        lock (_gate)
        {
            if (Read(FileOf(key)) is not { } token) return null;
            if (_index.TryGetValue(key, out var entry)) Use(entry);
            return token;
        }
    }

    /// <summary>Writes the token of an account.</summary>
    /// <returns>Whether it differs from the previous one.</returns>
    /// <exception cref="AccountLookupException">There are too many accounts, or the file cannot be written.</exception>
    public bool Save(string key, string token)
    {
        if (!PublicNkey.IsValid(key, NkeyKind.Account)) throw new AccountLookupException("invalid public key");
        if (token.Length == 0) throw new AccountLookupException("invalid JWT");
        lock (_gate)
        {
            var entry = CreateEntry(key, token);
            if (_index.TryGetValue(key, out var before))
            {
                Use(before);
                if (before.Hash.AsSpan().SequenceEqual(entry.Hash)) return false;
            }
            else if (_index.Count >= _options.Limit)
            {
                if (!_options.Evicts) throw new AccountLookupException("jwt store is full");
                Remove(_byUse.First!.Value);
            }
            Write(FileOf(key), token);
            Track(entry);
            return true;
        }
    }

    /// <summary>Writes the token of an account unless the stored one was issued later.</summary>
    /// <returns>Whether it differs from the previous one.</returns>
    /// <exception cref="AccountLookupException">There are too many accounts, or the file cannot be written.</exception>
    public bool SaveIfNewer(string key, string token)
    {
        lock (_gate)
        {
            var (before, after) = (Load(key) is { } old ? Decode(old) : null, Decode(token));
            if (after is null) throw new AccountLookupException("invalid JWT");
            if (!string.Equals(after.Subject, key, StringComparison.Ordinal)) throw new AccountLookupException("jwt subject nkey and provided nkey do not match");
            if (before is not null && (before.Id == after.Id || before.IssuedAt > after.IssuedAt)) return false;
            return Save(key, token);
        }
    }

    /// <summary>Deletes an account.</summary>
    /// <returns>False when there is none.</returns>
    /// <exception cref="AccountLookupException">Accounts cannot be deleted here, or the file cannot be changed.</exception>
    public bool TryDelete(string key)
    {
        if (Delete == DeleteMode.Refuse) throw new AccountLookupException("store is not set up to for delete");
        if (!PublicNkey.IsValid(key, NkeyKind.Account)) return false;
        lock (_gate)
        {
            var file = FileOf(key);
            if (!File.Exists(file)) return false;
            try
            {
                if (Delete == DeleteMode.Rename) File.Move(file, file + DeletedEnding, overwrite: true);
                else File.Delete(file);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                throw Failed(error);
            }
            Untrack(key);
            return true;
        }
    }

    /// <summary>Reads the folder again, because files in it may have been changed.</summary>
    /// <returns>The public keys of the accounts whose token is new or has changed.</returns>
    public IReadOnlyList<string> Reload()
    {
        lock (_gate)
        {
            var before = _index.ToDictionary(static pair => pair.Key, static pair => pair.Value.Hash, StringComparer.Ordinal);
            _index.Clear();
            _byUse.Clear();
            _hash = new byte[SHA256.HashSizeInBytes];
            Scan();
            return [.. _index.Where(pair => !before.TryGetValue(pair.Key, out var hash) || !hash.AsSpan().SequenceEqual(pair.Value.Hash)).Select(static pair => pair.Key)];
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _expiry.Dispose();

    private void Scan()
    {
        foreach (var file in Directory.EnumerateFiles(Path, "*" + Ending))
        {
            var key = System.IO.Path.GetFileNameWithoutExtension(file);
            if (PublicNkey.IsValid(key, NkeyKind.Account) && Read(file) is { Length: > 0 } token) Track(CreateEntry(key, token));
        }
    }

    private void RemoveExpired()
    {
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            foreach (var entry in _index.Values.Where(entry => entry.KeptUntil <= now).ToList()) Remove(entry.Key);
        }
    }

    private TokenEntry CreateEntry(string key, string token)
    {
        // An unreadable token is kept until another one replaces it: nobody can connect with it.
        var expires = Decode(token)?.Expires;
        var until = _options.TimeToLive > TimeSpan.Zero ? Until(_options.TimeToLive) : expires;
        return new TokenEntry(key, SHA256.HashData(Encoding.UTF8.GetBytes(token)), new LinkedListNode<string>(key)) { TokenExpires = expires, KeptUntil = until };
    }

    private DateTimeOffset Until(TimeSpan later)
    {
        var now = _time.GetUtcNow();
        return later > DateTimeOffset.MaxValue - now ? DateTimeOffset.MaxValue : now + later;
    }

    private void Track(TokenEntry entry)
    {
        Untrack(entry.Key);
        _index[entry.Key] = entry;
        _byUse.AddLast(entry.Use);
        Combine(entry.Hash);
    }

    private void Untrack(string key)
    {
        if (!_index.Remove(key, out var entry)) return;
        _byUse.Remove(entry.Use);
        Combine(entry.Hash);
    }

    private void Use(TokenEntry entry)
    {
        if (_options.TimeToLive > TimeSpan.Zero) entry.KeptUntil = Until(_options.TimeToLive);
        _byUse.Remove(entry.Use);
        _byUse.AddLast(entry.Use);
    }

    private void Remove(string key)
    {
        try
        {
            File.Delete(FileOf(key));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It stays in the index as long as its file exists, and is tried again.
            return;
        }
        Untrack(key);
    }

    private void Combine(byte[] hash)
    {
        for (var i = 0; i < _hash.Length; i++) _hash[i] ^= hash[i];
    }

    private string FileOf(string key) => System.IO.Path.Combine(Path, key + Ending);

    private static string? Read(string file)
    {
        try
        {
            if (new FileInfo(file) is not { Exists: true, Length: <= NatsJwt.MaxTokenLength }) return null;
            // A link has the length of its target's name, and a device as its target has no end.
            using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            if (!stream.CanSeek || stream.Length is var length && length > NatsJwt.MaxTokenLength) return null;
            var text = new byte[length];
            return Encoding.UTF8.GetString(text, 0, stream.ReadAtLeast(text, text.Length, throwOnEndOfStream: false)).Trim();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static void Write(string file, string token)
    {
        var unfinished = file + UnfinishedEnding;
        try
        {
            // Somebody may have removed the folder.
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(file)!);
            using (var stream = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None))
            {
                stream.Write(Encoding.UTF8.GetBytes(token));
                stream.Flush(flushToDisk: true);
            }
            File.Move(unfinished, file, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw Failed(error);
        }
    }

    // Whoever pushes a token gets the description, which must not contain a path of this machine.
    private static AccountLookupException Failed(Exception error) => new($"cannot change the file of the account: {DiskErrors.ReasonOf(error)}", error);

    private static AccountClaims? Decode(string token)
    {
        try
        {
            return NatsJwt.DecodeAnyTime<AccountClaims>(token);
        }
        catch (CredentialsException)
        {
            return null;
        }
    }

    private sealed record TokenEntry(string Key, byte[] Hash, LinkedListNode<string> Use)
    {
        public DateTimeOffset? TokenExpires { get; init; }

        public DateTimeOffset? KeptUntil { get; set; }
    }
}
