using Postrider.Credentials;

namespace Postrider.UnitTests.Credentials.Files;

public sealed class CredentialsFileTests : IDisposable
{
    private const string OfGo = $"""
        -----BEGIN NATS USER JWT-----
        {GoTokens.User}
        ------END NATS USER JWT------

        ************************* IMPORTANT *************************
        NKEY Seed printed below can be used to sign and prove identity.
        NKEYs are sensitive and should be treated as secrets.

        -----BEGIN USER NKEY SEED-----
        {GoTokens.UserSeed}
        ------END USER NKEY SEED------

        *************************************************************

        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-creds-");

    private string Path => System.IO.Path.Combine(_folder.FullName, "user.creds");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void File_of_Gos_tools_is_read_and_written_byte_for_byte()
    {
        using var file = CredentialsFile.Parse(OfGo);

        file.Write(Path);

        Assert.Equal((GoTokens.User, GoTokens.UserKey), (file.Jwt, file.Key.PublicKey));
        Assert.Equal(OfGo, File.ReadAllText(Path));
        Assert.Equal(GoTokens.UserKey, file.ToString());
    }

    [Fact]
    public void File_with_the_line_ends_of_Windows_and_spaces_is_read()
    {
        using var file = CredentialsFile.Parse($"# a comment\r\n{OfGo.ReplaceLineEndings("\r\n")}".Replace(GoTokens.UserSeed, $"  {GoTokens.UserSeed}  ", StringComparison.Ordinal));

        Assert.Equal((GoTokens.User, GoTokens.UserKey), (file.Jwt, file.Key.PublicKey));
    }

    [Fact]
    public void Written_file_is_its_owners_alone_and_replaces_the_one_before()
    {
        File.WriteAllText(Path, "before");
        using (var file = CredentialsFile.Parse(OfGo)) file.Write(Path);

        using var read = CredentialsFile.Read(Path);
        Assert.Equal(GoTokens.UserKey, read.Key.PublicKey);
        Assert.Single(_folder.GetFiles());
        // Windows has no such modes.
        if (!OperatingSystem.IsWindows()) Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path));
    }

    [Fact]
    public void Nothing_is_left_behind_when_a_file_cannot_be_written()
    {
        Directory.CreateDirectory(Path);
        using var file = CredentialsFile.Parse(OfGo);

        Assert.ThrowsAny<Exception>(() => file.Write(Path));

        Assert.Empty(_folder.GetFiles());
    }

    [Theory]
    [InlineData("", "There is no token")]
    [InlineData("-----BEGIN NATS USER JWT-----\n------END NATS USER JWT------\n", "There is no token")]
    [InlineData("-----BEGIN NATS USER JWT-----\ntoken\n", "There is no token")]
    [InlineData("-----BEGIN NATS USER JWT-----\none\ntwo\n------END NATS USER JWT------\n", "There is no token")]
    [InlineData("-----BEGIN NATS USER JWT-----\ntoken\n------END NATS USER JWT------\n", "There is no seed")]
    [InlineData("-----BEGIN NATS USER JWT-----\ntoken\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\n", "There is no seed")]
    public void File_without_token_or_seed_is_refused(string text, string message)
    {
        var refused = Assert.Throws<CredentialsException>(() => CredentialsFile.Parse(text));

        Assert.Equal(CredentialsErrorCode.InvalidFile, refused.Code);
        Assert.StartsWith(message, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Damaged_seed_is_refused_with_the_files_name_and_not_repeated()
    {
        File.WriteAllText(Path, OfGo.Replace(GoTokens.UserSeed, GoTokens.UserSeed[..^1] + "A", StringComparison.Ordinal));

        var refused = Assert.Throws<CredentialsException>(() => CredentialsFile.Read(Path));

        Assert.Equal(CredentialsErrorCode.InvalidSeed, refused.Code);
        Assert.StartsWith(Path, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(GoTokens.UserSeed[..20], refused.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Oversized_file_is_not_read()
    {
        using (var large = File.Create(Path)) large.SetLength(CredentialsFile.MaxBytes + 1);

        Assert.Equal(CredentialsErrorCode.InvalidFile, Assert.Throws<CredentialsException>(() => CredentialsFile.Read(Path)).Code);
    }

    [Fact]
    public void File_cut_at_any_byte_is_read_or_refused()
    {
        var end = OfGo.IndexOf("------END USER NKEY SEED------", StringComparison.Ordinal);
        for (var length = 0; length < OfGo.Length; length++)
        {
            if (length < end) Assert.Throws<CredentialsException>(() => CredentialsFile.Parse(OfGo.AsSpan(0, length)));
        }
    }

    [Fact]
    public void File_of_a_seed_is_read_among_comments_and_written_for_its_owner()
    {
        using var key = NkeyPair.Create(NkeyKind.User);
        SeedFile.Write(Path, key);
        File.WriteAllText(Path, $"# clerk\n\n{File.ReadAllText(Path)}");

        using var read = SeedFile.Read(Path);

        Assert.Equal(key.PublicKey, read.PublicKey);
        File.WriteAllText(Path, "nothing");
        Assert.Equal(CredentialsErrorCode.InvalidFile, Assert.Throws<CredentialsException>(() => SeedFile.Read(Path)).Code);
    }
}
