using System.IO.Compression;
using System.Reflection;
using Postrider.Profile;
using Postrider.UnitTests.Architecture;

namespace Postrider.UnitTests.Profile;

/// <summary>The profile that the native compiler reads.</summary>
public sealed class ProgramProfileTests : IDisposable
{
    private const string Here = "Postrider.UnitTests";
    private const string Type = "Postrider.UnitTests.Profile.Profiled`1";
    private static readonly string s_any = $"[{Here}]{Type}<[System.Private.Canon]System.__Canon>";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-profile-");
    private readonly AssemblyIndex _index;

    public ProgramProfileTests()
    {
        File.Copy(typeof(ProgramProfileTests).Assembly.Location, Path.Combine(_folder.FullName, "Tests.dll"));
        File.Copy(typeof(object).Assembly.Location, Path.Combine(_folder.FullName, "Library.dll"));
        File.WriteAllText(Path.Combine(_folder.FullName, "native.dll"), "no assembly");
        _index = new AssemblyIndex([_folder.FullName]);
    }

    public void Dispose()
    {
        _index.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public void Method_of_a_generic_class_is_named_with_its_arguments()
    {
        var content = Content(
            Recording($"{Type}[System.__Canon].Count", Size("Count"), Edge(3, 9, 41)),
            Recording($"{Type}[System.Int32].Count", Size("Count"), Edge(3, 9, 42)),
            Recording($"{Type}[System.Collections.Generic.KeyValuePair`2[System.Int64,System.__Canon]].Count", Size("Count"), Edge(3, 9, 43)),
            Recording($"{Type}[System.Byte[]].Count", Size("Count"), Edge(3, 9, 44)));

        Assert.Equal([0xFL, 3, 385, 1, 9, 41], content[$"{s_any}.Count"].Cast<long>());
        Assert.Equal(42L, content[$"[{Here}]{Type}<Int32>.Count"][^1]);
        Assert.Equal(43L, content[$"[{Here}]{Type}<struct [System.Private.CoreLib]System.Collections.Generic.KeyValuePair`2<Int64,[System.Private.Canon]System.__Canon>>.Count"][^1]);
        Assert.Equal(44L, content[$"[{Here}]{Type}<Byte[]>.Count"][^1]);
        Assert.Equal([$"{Here};", $"{Here};System.Private.CoreLib;"], content.Groups.Keys.Order());
        Assert.Equal("Int32(!0& [System.Runtime]System.Runtime.InteropServices.InAttribute, [System.Collections]System.Collections.Generic.List`1<!0[]>, Int32[,])", content.Signatures[$"{s_any}.Count"]);
    }

    [Fact]
    public void Constructors_nested_types_and_explicit_members_are_found()
    {
        var content = Content(
            Recording($"{Type}[System.__Canon]..ctor", Size(".ctor"), Edge(0, 1, 1)),
            Recording($"{Type}+Inner[System.__Canon].Twice", Size("Twice", typeof(Profiled<>.Inner)), Edge(0, 1, 2)),
            Recording($"{Type}[System.__Canon].Postrider.UnitTests.Profile.IProfiled<T>.Same", Size("Postrider.UnitTests.Profile.IProfiled<T>.Same"), Edge(0, 1, 3)));

        Assert.Equal(1L, content[$"{s_any}..ctor"][^1]);
        Assert.Equal(2L, content[$"[{Here}]{Type}+Inner<[System.Private.Canon]System.__Canon>.Twice"][^1]);
        Assert.Equal(3L, content[$"{s_any}.Postrider.UnitTests.Profile.IProfiled<T>.Same"][^1]);
    }

    [Fact]
    public void Methods_that_changed_that_are_unknown_or_generic_are_left_out()
    {
        var content = Content(
            Recording($"{Type}[System.__Canon].Count", Size("Count") + 1, Edge(0, 1, 1)),
            Recording($"{Type}[System.__Canon].Nothing", 5, Edge(0, 1, 1)),
            Recording("Other.Type.Count", 5, Edge(0, 1, 1)),
            Recording($"{Type}[System.__Canon].Convert", Size("Convert"), Edge(0, 1, 1)),
            Recording($"{Type}[System.__Canon].get_Calls", Size("get_Calls"), Edge(0, 1, 1)));

        Assert.Equal($"{s_any}.get_Calls", Assert.Single(content.Groups[$"{Here};"]).Name);
        Assert.Single(content.Groups);
    }

    [Fact]
    public void Recordings_of_the_same_method_are_added_up_unless_their_counters_differ()
    {
        var name = $"{Type}[System.__Canon].Count";
        var profile = new ProgramProfile();
        profile.Add(Recording(name, Size("Count"), Edge(3, 9, uint.MaxValue)));
        profile.Add(Recording(name, Size("Count"), Edge(3, 9, 5)));
        profile.Add(Recording(name, Size("Count"), Edge(4, 9, 7)));

        var content = new ProfileContent(profile.ToModule(_index).ToBytes("test"));

        Assert.Equal(1, profile.Recorded);
        Assert.Equal([0xFL, 3, 385, 1, 9, uint.MaxValue + 5L], content[$"{s_any}.Count"].Cast<long>());
    }

    [Fact]
    public void Of_a_sample_the_most_frequent_entry_is_written_with_its_share()
    {
        const string Inner = $"{Type}+Inner[[System.Int32, System.Private.CoreLib, Version=10.0.0.0]], {Here}, Version=0.1.0.0";
        var content = Content(
        [
            .. Recording($"{Type}[System.__Canon].Count", Size("Count"),
            [
                .. Sample(CounterKind.SeenTypes, 7, $"TypeHandle: {Inner}", $"TypeHandle: {Inner}", $"TypeHandle: {Inner}", "TypeHandle: System.String, System.Private.CoreLib", "TypeHandle: NULL"),
                .. Sample(CounterKind.SeenMethods, 8, $"MethodHandle: get_Calls|@|{Type}[[System.__Canon, System.Private.CoreLib]], {Here}", "MethodHandle: UNKNOWN", "MethodHandle: NULL"),
                .. Sample(CounterKind.SeenTypes, 9, "TypeHandle: UNKNOWN", "TypeHandle: UNKNOWN"),
                .. Sample(CounterKind.SeenTypes, 10, "TypeHandle: Missing, Nowhere"),
            ]),
        ]);

        Assert.Equal(
            [0xFL, 7L, (long)CounterKind.LikelyType, 1L, (2L << 8) | 75, $"[{Here}]{Type}+Inner<Int32>", 0xFL, 8L, (long)CounterKind.LikelyMethod, 1L, (2L << 8) | 50, $"{s_any}.get_Calls"],
            content[$"{s_any}.Count"]);
    }

    [Fact]
    public void File_contains_the_module_under_the_name_that_the_compiler_looks_for_and_is_the_same_each_time()
    {
        var profile = new ProgramProfile();
        profile.Add(Recording($"{Type}[System.__Canon].Count", Size("Count"), Edge(3, 9, 1)));
        var (one, two) = (Path.Combine(_folder.FullName, "one", "some.mibc"), Path.Combine(_folder.FullName, "two", "some.mibc"));
        Directory.CreateDirectory(Path.GetDirectoryName(one)!);
        Directory.CreateDirectory(Path.GetDirectoryName(two)!);

        ProgramProfile.Write(profile.ToModule(_index), one);
        ProgramProfile.Write(profile.ToModule(_index), two);

        Assert.Equal(File.ReadAllBytes(one), File.ReadAllBytes(two));
        Assert.Equal(1L, Read(one)[$"{s_any}.Count"][^1]);
        using var archive = ZipFile.OpenRead(one);
        Assert.Equal(1980, archive.Entries.Single().LastWriteTime.Year);
    }

    [Fact]
    public void Profile_of_the_broker_names_methods_that_exist()
    {
        var content = Read(Path.Combine(Repository.Root, "src", "Postrider.Broker", "build", "Postrider.Broker.mibc"));
        // These tests do not refer to the command line.
        var ours = content.Groups.Where(group => group.Key.StartsWith("Postrider.", StringComparison.Ordinal) && !group.Key.StartsWith("Postrider.CommandLine;", StringComparison.Ordinal))
            .SelectMany(group => group.Value).Select(method => method.Name).Where(name => !name.Contains('<', StringComparison.Ordinal)).ToList();
        var gone = ours.Where(name => !Exists(name)).ToList();

        Assert.True(ours.Count > 500, $"The profile names {ours.Count} methods of Postrider.");
        Assert.True(gone.Count * 4 < ours.Count, $"{gone.Count} of the {ours.Count} methods in the profile are gone. Record it again: ./dev profile. The first ones: {string.Join(", ", gone.Take(10))}");
    }

    /// <summary>Whether there is a member that a profile names as <c>[Assembly]Space.Type.Member</c>.</summary>
    private static bool Exists(string name)
    {
        var start = name.IndexOf(']', StringComparison.Ordinal) + 1;
        var assembly = Assembly.Load(name[1..(start - 1)]);
        // The names of constructors and of explicit implementations contain dots.
        for (var dot = name.LastIndexOf('.'); dot > start; dot = name.LastIndexOf('.', dot - 1))
        {
            if (assembly.GetType(name[start..dot])?.GetMember(name[(dot + 1)..], BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic).Length > 0)
                return true;
        }
        return false;
    }

    private static ProfileContent Read(string path)
    {
        using var archive = ZipFile.OpenRead(path);
        using var stream = Assert.Single(archive.Entries, entry => entry.Name == Path.GetFileName(path) + ".dll").Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return new ProfileContent(bytes.ToArray());
    }

    private ProfileContent Content(params string[][] recordings)
    {
        var profile = new ProgramProfile();
        foreach (var lines in recordings)
            profile.Add(lines);
        return new ProfileContent(profile.ToModule(_index).ToBytes("test"));
    }

    private ProfileContent Content(string[] recording) => Content([recording]);

    private static string[] Recording(string name, int size, params string[] counters) =>
    [
        $"@@@ codehash 0x00000001 methodhash 0x00000002 ilSize 0x{size:X8} records 0x{counters.Count(line => line.StartsWith("Schema", StringComparison.Ordinal)):X8}",
        $"MethodName: {name}",
        "Signature: instance void  ()",
        .. counters,
    ];

    private static string[] Edge(int from, int to, long count) => [$"Schema InstrumentationKind 385 ILOffset {from} Count 1 Other {to}", $"{count}"];

    private static string[] Sample(int kind, int offset, params string[] names) => [$"Schema InstrumentationKind {kind} ILOffset {offset} Count {names.Length} Other 0", .. names];

    private static int Size(string name, Type? type = null)
    {
        var owner = type ?? typeof(Profiled<>);
        MethodBase method = name == ".ctor"
            ? Assert.Single(owner.GetConstructors())
            : Assert.Single(owner.GetMember(name, MemberTypes.Method, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Cast<MethodInfo>());
        return method.GetMethodBody()!.GetILAsByteArray()!.Length;
    }
}
