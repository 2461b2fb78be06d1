using Postrider.Storage;

namespace Postrider.UnitTests.Storage;

public sealed class MemoryStoreTests : MessageStoreContract
{
    private protected override bool IsFile => false;

    [Fact]
    public void Memory_follows_the_messages_that_are_left()
    {
        using var store = new MemoryStore(1);
        store.Retention.Limits = new StoreLimits(0, 0, 1);
        for (var i = 0; i < 200_000; i++)
        {
            store.Append(System.Text.Encoding.UTF8.GetBytes($"k.{i % 1000}"), default, new byte[100], i, 0, out _);
        }

        Assert.Equal(1000, store.Messages);
        Assert.True(store.NativeBytes < 4 * 1024 * 1024, $"{store.NativeBytes} bytes");
    }

    private protected override MessageStore Create() => new MemoryStore(1);
}
