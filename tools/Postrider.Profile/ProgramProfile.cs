using System.IO.Compression;

namespace Postrider.Profile;

/// <summary>Makes the profile of a program from what the runtime recorded while it ran.</summary>
public sealed class ProgramProfile
{
    private readonly Dictionary<(string Name, string Signature), RecordedMethod> _methods = [];

    /// <summary>The methods that were recorded.</summary>
    public int Recorded => _methods.Count;

    /// <summary>The recorded methods of which the assemblies of the last <see cref="ToModule"/> had none or several.</summary>
    public int Unknown { get; private set; }

    /// <summary>Adds a recording. The counts of a method that was recorded before are added up.</summary>
    /// <param name="lines">The lines of a file that the runtime wrote (<see cref="ProfileText"/>).</param>
    /// <exception cref="FormatException">The lines are not such a file.</exception>
    public void Add(IEnumerable<string> lines)
    {
        foreach (var method in ProfileText.Read(lines))
        {
            var key = (method.Name, method.Signature);
            _methods[key] = _methods.TryGetValue(key, out var other) ? other.Add(method) : method;
        }
    }

    /// <summary>Writes what was recorded for the native compiler.</summary>
    /// <param name="index">The assemblies of the program as it was recorded. Methods that are not in them, or have another size there, are left out.</param>
    /// <returns>The module.</returns>
    public ProfileModule ToModule(AssemblyIndex index)
    {
        var module = new ProfileModule(index);
        Unknown = 0;
        foreach (var recorded in _methods.Values.OrderBy(method => method.Name, StringComparer.Ordinal).ThenBy(method => method.Signature, StringComparer.Ordinal))
        {
            if (index.TryFindMethod(recorded, out var method))
                module.TryAdd(method, recorded);
            else
                Unknown++;
        }
        return module;
    }

    /// <summary>Writes a module to a file, compressed, as the native compiler accepts it.</summary>
    /// <param name="module">The module.</param>
    /// <param name="path">The file; an existing one is replaced.</param>
    public static void Write(ProfileModule module, string path)
    {
        var bytes = module.ToBytes(Path.GetFileNameWithoutExtension(path));
        using var archive = new ZipArchive(File.Create(path), ZipArchiveMode.Create);
        // The compiler looks for this name.
        var entry = archive.CreateEntry(Path.GetFileName(path) + ".dll", CompressionLevel.SmallestSize);
        entry.LastWriteTime = new DateTimeOffset(1980, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using var stream = entry.Open();
        stream.Write(bytes);
    }
}
