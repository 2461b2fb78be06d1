using System.Buffers;
using System.Text.Json;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage.Encryption;

/// <summary>Opens the folder of a server's streams with the configured keys, and encrypts the files with them.</summary>
/// <remarks>
/// <para>A small file next to the streams records that they are encrypted and verifies the key, so that a wrong key is noticed before any
/// change. Encrypting a plain store and changing the key are done file by file and are resumed after an interruption.</para>
/// <para>Not thread-safe; used at the start, before the streams are opened.</para>
/// </remarks>
internal sealed class StoreEncryption
{
    /// <summary>The file with the record of the key.</summary>
    public const string FileName = "encryption.json";

    private const string Unfinished = ".encrypting";
    private const int CopyBytes = 1024 * 1024;

    private readonly IStoreFolder _root;
    private readonly StoreKeyOptions _options;
    private KeyRecord? _record;
    private KeyRecord? _next;
    private bool _isConverting;

    private StoreEncryption(IStoreFolder root, StoreKeyOptions options) => (_root, _options) = (root, options);

    /// <summary>Opens a folder.</summary>
    /// <param name="root">The folder of all streams.</param>
    /// <param name="options">The keys; null when none is configured.</param>
    /// <param name="report">Called with what is done to the files, and with damaged files.</param>
    /// <returns>The folder in which stores are opened.</returns>
    /// <exception cref="StoreException">The keys do not match, or there are none. Nothing was changed.</exception>
    public static IStoreFolder Open(IStoreFolder root, StoreKeyOptions? options, Action<string> report)
    {
        if (options is not null) return new StoreEncryption(root, options).Open(report);
        var name = Array.Find([FileName, MetadataFile.CopyOf(FileName)], root.Has);
        return name is null ? root : throw Refusal($"the streams in {root.Path} are encrypted, and no key is configured. Set \"key\" in the jetstream block");
    }

    private EncryptedFolder Open(Action<string> report)
    {
        var status = MetadataFile.TryRead(_root, FileName, out var text, out var note);
        if (note is not null) report(note);
        if (status == StoreStatus.Damaged) throw Refusal($"{FileName} in {_root.Path} and its copy are damaged; without them the key cannot be derived. Restore one of them from a backup");
        var main = status == StoreStatus.NotFound ? Begin() : Find(text, report);
        var keys = new StoreKeys(main, _options.Cipher);
        if (_isConverting)
        {
            Convert(_root, keys, isTop: true, report);
            _isConverting = false;
            Save();
            report("the streams are encrypted");
        }
        return new EncryptedFolder(_root, keys);
    }

    private MainKey Begin()
    {
        if (IsAnyEncrypted(_root, isTop: true)) throw Refusal($"{FileName} in {_root.Path} and its copy are missing; without them the key cannot be derived. Restore one of them from a backup");
        _record = KeyRecord.Create(_options.Key, _options.Iterations, out var main);
        _isConverting = true;
        _root.Ensure();
        Save();
        return main;
    }

    private MainKey Find(byte[] text, Action<string> report)
    {
        Read(text);
        if (_record!.TryDerive(_options.Key) is { } main)
        {
            if (_next is null) return main;
            // The change to another key was interrupted, and is reverted.
            if (_next.TryDerive(_options.PreviousKey) is not { } abandoned) throw UnfinishedChange();
            ChangeKeys(_root, abandoned, main, isTop: true, report);
            _next = null;
            Save();
            return main;
        }
        if (_record.TryDerive(_options.PreviousKey) is not { } before)
            throw Refusal($"the key does not match the streams in {_root.Path}, which are encrypted with another one{(_options.PreviousKey is null ? ". To change the key, set the previous one as \"prev_key\"" : ", and \"prev_key\" does not match either")}");
        MainKey? after;
        if (_next is null)
        {
            _next = KeyRecord.Create(_options.Key, _options.Iterations, out after);
            Save();
        }
        else if ((after = _next.TryDerive(_options.Key)) is null)
        {
            throw UnfinishedChange();
        }
        ChangeKeys(_root, before, after, isTop: true, report);
        (_record, _next) = (_next, null);
        Save();
        report("the streams are encrypted with the new key");
        return after;
    }

    private StoreException UnfinishedChange()
        => Refusal($"a change of the key of the streams in {_root.Path} was interrupted. Set the two keys of that change as \"key\" and \"prev_key\"");

    private void Read(byte[] text)
    {
        try
        {
            using var json = JsonDocument.Parse(text);
            var root = json.RootElement;
            _record = KeyRecord.Read(root.GetProperty("key"));
            _next = root.TryGetProperty("next", out var next) ? KeyRecord.Read(next) : null;
            _isConverting = root.TryGetProperty("converting", out var converting) && converting.ValueKind == JsonValueKind.True;
        }
        catch (Exception error) when (error is JsonException or FormatException or KeyNotFoundException or InvalidOperationException)
        {
            throw Refusal($"{FileName} in {_root.Path} cannot be read: {error.Message}");
        }
    }

    private void Save()
    {
        var text = new ArrayBufferWriter<byte>(512);
        using (var json = new Utf8JsonWriter(text))
        {
            json.WriteStartObject();
            json.WritePropertyName("key");
            _record!.Write(json);
            if (_next is not null)
            {
                json.WritePropertyName("next");
                _next.Write(json);
            }
            if (_isConverting) json.WriteBoolean("converting", true);
            json.WriteEndObject();
        }
        MetadataFile.Write(_root, FileName, text.WrittenSpan);
    }

    private static bool IsAnyEncrypted(IStoreFolder folder, bool isTop)
    {
        foreach (var name in Contents(folder, isTop))
        {
            using var file = folder.Open(name, writable: false);
            if (HasMark(file)) return true;
        }
        return folder.Folders().Any(name => IsAnyEncrypted(folder.Folder(name), isTop: false));
    }

    private static void Convert(IStoreFolder folder, StoreKeys keys, bool isTop, Action<string> report)
    {
        var isChanged = false;
        foreach (var name in Contents(folder, isTop))
        {
            if (name.EndsWith(Unfinished, StringComparison.Ordinal))
            {
                folder.Delete(name);
                continue;
            }
            isChanged |= TryConvert(folder, name, keys);
        }
        if (isChanged) folder.Sync();
        foreach (var name in folder.Folders()) Convert(folder.Folder(name), keys, isTop: false, report);
    }

    private static bool TryConvert(IStoreFolder folder, string name, StoreKeys keys)
    {
        using (var plain = folder.Open(name, writable: false))
        {
            if (plain.Length == 0 || HasMark(plain)) return false;
            using var target = new EncryptedFile(folder.Create(name + Unfinished), keys, name);
            var buffer = new byte[(int)Math.Min(CopyBytes, plain.Length)];
            for (long at = 0; plain.Read(at, buffer) is var count and > 0; at += count) target.Write(at, buffer.AsSpan(0, count));
            target.Sync();
        }
        folder.Rename(name + Unfinished, name);
        return true;
    }

    private static void ChangeKeys(IStoreFolder folder, MainKey before, MainKey after, bool isTop, Action<string> report)
    {
        foreach (var name in Contents(folder, isTop))
        {
            using var file = folder.Open(name, writable: true);
            if (HasMark(file) && !FileHeader.TryChangeKey(file, before, after)) report($"the key of {name} in {folder.Path} is damaged: the file is lost");
        }
        foreach (var name in folder.Folders()) ChangeKeys(folder.Folder(name), before, after, isTop: false, report);
    }

    private static bool HasMark(IStoreFile file)
    {
        Span<byte> header = stackalloc byte[FileHeader.Bytes];
        return FileHeader.HasMark(header[..file.Read(0, header)]);
    }

    // The files of streams. The server's own at the top are never encrypted, and its lock cannot be opened.
    private static IEnumerable<string> Contents(IStoreFolder folder, bool isTop)
        => folder.Files().Where(name => !isTop || (name != StoreLock.FileName && !name.StartsWith(FileName, StringComparison.Ordinal)));

    private static StoreException Refusal(string text) => new(StoreFaultKind.IoError, text);
}
