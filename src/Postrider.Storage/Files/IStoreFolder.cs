namespace Postrider.Storage.Files;

/// <summary>One folder of a store: the interface behind which tests simulate power failures, full disks and broken ones.</summary>
/// <remarks>Errors: <see cref="IOException"/> and <see cref="UnauthorizedAccessException"/>. Names are plain file names.</remarks>
internal interface IStoreFolder
{
    /// <summary>Its path, for messages.</summary>
    string Path { get; }

    /// <summary>Names of the files in it.</summary>
    IReadOnlyList<string> Files();

    /// <summary>Names of the folders in it.</summary>
    IReadOnlyList<string> Folders();

    /// <summary>Whether the folder exists.</summary>
    bool Exists { get; }

    /// <summary>Creates the folder and its parents, if they do not exist. Nothing else does: a folder that was removed while it is in use is not
    /// recreated silently.</summary>
    void Ensure();

    /// <summary>Whether the folder contains a file.</summary>
    bool Has(string name);

    /// <summary>A folder in it; see <see cref="Ensure"/>.</summary>
    IStoreFolder Folder(string name);

    /// <summary>Opens an existing file.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="writable">Whether it will be written to.</param>
    IStoreFile Open(string name, bool writable);

    /// <summary>Creates a file, or empties an existing one.</summary>
    IStoreFile Create(string name);

    /// <summary>Atomically replaces a file with another.</summary>
    void Rename(string from, string to);

    /// <summary>Deletes a file; it is not an error if the file does not exist.</summary>
    void Delete(string name);

    /// <summary>Deletes the folder and its content.</summary>
    void DeleteAll();

    /// <summary>Returns when the folder's entries are on the disk: files created, renamed and deleted.</summary>
    void Sync();
}
