using Microsoft.Extensions.Time.Testing;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Trust;

public sealed class TokenDirectoryTests : IDisposable
{
    private static readonly DateTimeOffset Now = new(2026, 5, 4, 12, 0, 0, TimeSpan.Zero);

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-tokens-").FullName;
    private readonly FakeTimeProvider _clock = new(Now);
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly string _one;
    private readonly string _two;
    private readonly string _three;

    public TokenDirectoryTests()
    {
        using var one = NkeyPair.Create(NkeyKind.Account);
        using var two = NkeyPair.Create(NkeyKind.Account);
        using var three = NkeyPair.Create(NkeyKind.Account);
        (_one, _two, _three) = (one.PublicKey, two.PublicKey, three.PublicKey);
    }

    public void Dispose()
    {
        _operator.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void Token_that_is_saved_is_loaded_again_by_the_next_broker()
    {
        var token = Token(_one);
        using (var first = Open()) Assert.True(first.Save(_one, token));

        using var second = Open();

        Assert.Equal((token, 1), (second.Load(_one), second.Count));
        Assert.Equal(token, File.ReadAllText(FileOf(_one)));
        Assert.False(second.Save(_one, token));
        Assert.Null(second.Load(_two));
    }

    [Fact]
    public void Crash_before_the_rename_leaves_the_old_token_and_no_rest()
    {
        var token = Token(_one);
        using (var first = Open()) first.Save(_one, token);
        // What a broker leaves that was killed after it wrote and before it renamed.
        File.WriteAllText(FileOf(_one) + ".unfinished", Token(_one, "newer")[..40]);
        File.WriteAllText(FileOf(_two) + ".unfinished", Token(_two));

        using var second = Open();

        Assert.Equal((token, null, 1), (second.Load(_one), second.Load(_two), second.Count));
        Assert.Equal([_one + ".jwt"], Directory.EnumerateFiles(_folder).Select(Path.GetFileName));
    }

    [Fact]
    public void Corrupt_file_keeps_nobody_else_out_and_is_replaced()
    {
        File.WriteAllText(FileOf(_one), "corrupt");
        File.WriteAllText(FileOf(_two), "");
        File.WriteAllText(Path.Combine(_folder, "notes.jwt"), "not an account");
        using var directory = Open();

        directory.Save(_three, Token(_three));
        directory.Save(_one, Token(_one));

        Assert.Equal(new[] { _one, _three }.Order(StringComparer.Ordinal), directory.Keys);
        Assert.Equal(Token(_one), directory.Load(_one));
    }

    [Fact]
    public void File_that_is_larger_than_a_token_may_be_is_not_read()
    {
        File.WriteAllText(FileOf(_one), new string('a', NatsJwt.MaxTokenLength + 1));

        using var directory = Open();

        Assert.Equal((0, null), (directory.Count, directory.Load(_one)));
    }

    [Theory]
    [InlineData("../escape")]
    [InlineData("")]
    [InlineData("UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")]
    public void Name_that_is_no_account_is_no_file(string name)
    {
        using var directory = Open();

        Assert.Throws<AccountLookupException>(() => directory.Save(name, "x"));
        Assert.Null(directory.Load(name));
        Assert.Empty(Directory.EnumerateFiles(_folder));
    }

    [Fact]
    public void Full_folder_refuses_another_account_but_not_another_token()
    {
        using var directory = Open(limit: 1);
        directory.Save(_one, Token(_one));

        var full = Assert.Throws<AccountLookupException>(() => directory.Save(_two, Token(_two)));

        Assert.Equal("jwt store is full", full.Message);
        Assert.True(directory.Save(_one, Token(_one, "newer")));
        Assert.False(File.Exists(FileOf(_two)));
    }

    [Fact]
    public void Full_cache_forgets_the_account_that_was_not_used_for_the_longest_time()
    {
        using var cache = Open(limit: 2, evicts: true);
        cache.Save(_one, Token(_one));
        cache.Save(_two, Token(_two));
        cache.Load(_one);

        cache.Save(_three, Token(_three));

        Assert.Equal((true, false, true), (cache.Load(_one) is not null, cache.Load(_two) is not null, cache.Load(_three) is not null));
        Assert.False(File.Exists(FileOf(_two)));
    }

    [Fact]
    public void Cache_forgets_what_was_not_used_for_its_time()
    {
        using var cache = Open(evicts: true, timeToLive: TimeSpan.FromMinutes(10));
        cache.Save(_one, Token(_one));
        cache.Save(_two, Token(_two));

        _clock.Advance(TimeSpan.FromMinutes(6));
        cache.Load(_one);
        _clock.Advance(TimeSpan.FromMinutes(6));

        Assert.Equal([_one], cache.Keys);
        Assert.False(File.Exists(FileOf(_two)));
    }

    [Fact]
    public void Expired_token_is_removed()
    {
        using var directory = Open();
        directory.Save(_one, Token(_one, expires: Now.AddMinutes(5)));
        directory.Save(_two, Token(_two));

        _clock.Advance(TimeSpan.FromMinutes(6));

        Assert.Equal([_two], directory.Keys);
        Assert.False(File.Exists(FileOf(_one)));
    }

    [Fact]
    public void Older_token_does_not_replace_a_newer_one()
    {
        using var directory = Open();
        var older = Token(_one);
        _clock.Advance(TimeSpan.FromSeconds(10));
        var newer = Token(_one, "newer");
        directory.SaveIfNewer(_one, newer);

        Assert.False(directory.SaveIfNewer(_one, older));
        Assert.Equal(newer, directory.Load(_one));
        Assert.Throws<AccountLookupException>(() => directory.SaveIfNewer(_one, Token(_two)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Deleted_account_is_gone_and_its_file_renamed_or_removed(bool isRemoved)
    {
        using var directory = Open(delete: isRemoved ? DeleteMode.Remove : DeleteMode.Rename);
        directory.Save(_one, Token(_one));

        Assert.True(directory.TryDelete(_one));

        Assert.Equal((null, 0, !isRemoved), (directory.Load(_one), directory.Count, File.Exists(FileOf(_one) + ".deleted")));
        Assert.False(directory.TryDelete(_one));
    }

    // The description goes to whoever pushed the token.
    [Fact]
    public void File_that_cannot_be_changed_is_described_without_its_path()
    {
        using var directory = Open(delete: DeleteMode.Rename);
        directory.Save(_one, Token(_one));
        Directory.CreateDirectory(FileOf(_two));
        Directory.CreateDirectory(FileOf(_one) + ".deleted");

        var saved = Assert.Throws<AccountLookupException>(() => directory.Save(_two, Token(_two)));
        var deleted = Assert.Throws<AccountLookupException>(() => directory.TryDelete(_one));

        Assert.All([saved, deleted], error =>
        {
            Assert.StartsWith("cannot change the file of the account: ", error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain(Path.GetFileName(_folder), error.Message, StringComparison.Ordinal);
            Assert.NotNull(error.InnerException);
        });
    }

    [Fact]
    public void Folder_from_which_nothing_is_deleted_refuses()
    {
        using var directory = Open(delete: DeleteMode.Refuse);
        directory.Save(_one, Token(_one));

        Assert.Throws<AccountLookupException>(() => directory.TryDelete(_one));
        Assert.NotNull(directory.Load(_one));
    }

    [Fact]
    public void Hash_is_that_of_the_tokens_in_whatever_order_they_came()
    {
        using var first = Open();
        first.Save(_one, Token(_one));
        first.Save(_two, Token(_two));
        var both = first.Hash;
        var other = Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName;
        using var second = Open(path: other);

        second.Save(_two, Token(_two));
        second.Save(_one, Token(_one));

        Assert.Equal(both, second.Hash);
        Assert.NotEqual(both, new byte[32]);
    }

    [Fact]
    public void Files_that_changed_meanwhile_are_found_by_a_reload()
    {
        using var directory = Open();
        directory.Save(_one, Token(_one));
        directory.Save(_two, Token(_two));
        File.WriteAllText(FileOf(_one), Token(_one, "newer"));
        File.Delete(FileOf(_two));
        File.WriteAllText(FileOf(_three), Token(_three));

        var changed = directory.Reload();

        Assert.Equal(new[] { _one, _three }.Order(StringComparer.Ordinal), changed.Order(StringComparer.Ordinal));
        Assert.Equal(2, directory.Count);
    }

    private TokenDirectory Open(long limit = long.MaxValue, bool evicts = false, TimeSpan timeToLive = default, DeleteMode delete = DeleteMode.Rename, string? path = null)
        => new(new TokenDirectoryOptions(path ?? _folder, limit, evicts, timeToLive, delete), _clock);

    private string FileOf(string key) => Path.Combine(_folder, key + ".jwt");

    private string Token(string key, string name = "", DateTimeOffset? expires = null) => new AccountClaims { Subject = key, Name = name, Expires = expires }.Encode(_operator, _clock);
}
