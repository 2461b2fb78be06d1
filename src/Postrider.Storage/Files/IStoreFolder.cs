namespace Postrider.Storage.Files;

/// <summary>One folder of a store: the seam at which tests put power cuts, full disks and broken ones.</summary>
/// <remarks>Errors: <see cref="IOException"/> and <see cref="UnauthorizedAccessException"/>. Names are plain file names.</remarks>
internal interface IStoreFolder
{
    /// <summary>For messages: where this is.</summary>
    string Path { get; }

    /// <summary>Names of the files in it.</summary>
    IReadOnlyList<string> Files();

    /// <summary>Names of the folders in it.</summary>
    IReadOnlyList<string> Folders();

    /// <summary>Whether it is there.</summary>
    bool Exists { get; }

    /// <summary>Makes the folder, with those above it, where it is absent. Nothing else does: a folder that was removed while it is in use is not
    /// made again behind everybody's back.</summary>
    void Ensure();

    /// <summary>Whether a file is in it.</summary>
    bool Has(string name);

    /// <summary>A folder in it; see <see cref="Ensure"/>.</summary>
    IStoreFolder Folder(string name);

    /// <summary>Opens an existing file.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="writable">Whether it will be written.</param>
    IStoreFile Open(string name, bool writable);

    /// <summary>Creates a file, emptying one of that name.</summary>
    IStoreFile Create(string name);

    /// <summary>Puts a file in the place of another, at one stroke.</summary>
    void Rename(string from, string to);

    /// <summary>Deletes a file; one that is absent is no error.</summary>
    void Delete(string name);

    /// <summary>Deletes the folder with all that is in it.</summary>
    void DeleteAll();

    /// <summary>Returns when the disk has the folder's entries: files created, renamed and deleted.</summary>
    void Sync();
}
